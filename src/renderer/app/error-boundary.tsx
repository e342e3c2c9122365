import { Component, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { t } from '../words.tsx';

interface ErrorBoundaryState {
  failed: boolean;
}

/** Catches what broke while drawing. Messages are safe in the engine, so reloading is harmless. */
export class ErrorBoundary extends Component<{ children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="flex h-full">
        <EmptyState
          action={
            <Button onClick={() => window.location.reload()} tone="primary">
              {t('app.reload')}
            </Button>
          }
          picture={<Mark size={56} />}
          text={t('app.wentWrongHelp')}
          title={t('app.wentWrong')}
        />
      </main>
    );
  }
}
