import { t } from '../words.tsx';
import { Button } from './button.tsx';

interface LoadFailureProps {
  error: Error;
  onRetry: () => void;
}

/** The reason for missing data in their place, with another attempt. */
export function LoadFailure({ error, onRetry }: LoadFailureProps) {
  return (
    <p className="text-ink-soft">
      {error.message}{' '}
      <Button onClick={onRetry} size="small">
        {t('common.tryAgain')}
      </Button>
    </p>
  );
}
