import { useEffect } from 'react';
import { FormPage, type FormPageProps } from '../design/form-page.tsx';
import { t } from '../words.tsx';

/** A page of the lock: one form. */
export function LockFrame({ children, ...page }: Omit<FormPageProps, 'beside'>) {
  useEffect(() => {
    document.title = t('app.name');
  }, []);
  return (
    <FormPage {...page}>
      <div className="flex flex-col gap-3">{children}</div>
    </FormPage>
  );
}
