import { Toast } from '@base-ui/react/toast';
import { CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ToldFailure } from '../told-failure.ts';
import { t } from '../words.tsx';

const toasts = Toast.createToastManager();

/**
 * Tells a failure for which there is no better place.
 * @param title what could not be done
 */
export function tellFailure(error: Error, title = t('action.other')): void {
  // What was under way when Waxwing was locked; the lock screen says so already.
  if (error instanceof ToldFailure && ['locked', 'unlocked_elsewhere'].includes(error.code)) return;
  toasts.add({ title, description: error.message, timeout: 8000 });
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={toasts}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t('app.notices')}
          className="fixed inset-x-4 top-4 z-50 mx-auto flex max-w-sm flex-col gap-2"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root
      className="appear rounded-2xl border border-line bg-raised p-3.5 shadow-floating"
      key={toast.id}
      toast={toast}
    >
      <Toast.Content className="flex items-start gap-3">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-wax-ink" />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="break-words text-ink-soft" />
        </div>
        <Toast.Close
          aria-label={t('app.dismiss')}
          className="-m-1.5 grid size-8 place-items-center rounded-lg text-ink-soft hover:bg-sunken"
        >
          <X aria-hidden="true" className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
