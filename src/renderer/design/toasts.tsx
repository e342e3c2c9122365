import { Toast } from '@base-ui/react/toast';
import { CircleAlert, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { BridgeFailure } from '../bridge-failure.ts';
import { t } from '../words.tsx';
import { CopyDiagnostics } from './copy-diagnostics.tsx';

interface ToastData {
  /** False for a note, such as the result of an action. */
  isFailure: boolean;
  /** True for an unexpected failure: then the person can copy a report. */
  isUnexpected: boolean;
}

const toasts = Toast.createToastManager<ToastData>();

/** In milliseconds; an unexpected failure stays until the person dismisses it. */
const SHOWN_FOR = 8_000;

/** Reports whether a failure is unexpected: the person is shown an id that is also in the log. */
export function isUnexpected(error: Error): boolean {
  return error instanceof BridgeFailure && error.code === 'unexpected';
}

/**
 * Shows a failure that has no better place.
 * @param title the action that failed
 */
export function showFailure(error: Error, title = t('action.other')): void {
  // Actions interrupted by locking: the lock screen already explains it.
  if (error instanceof BridgeFailure && ['locked', 'unlocked_elsewhere'].includes(error.code)) return;
  const toast = { title, description: error.message, data: { isFailure: true, isUnexpected: false } };
  // One toast for one cause at a time: a cause that breaks a screen may fail all its queries.
  if (isUnexpected(error))
    toasts.add({ ...toast, id: 'unexpected', data: { isFailure: true, isUnexpected: true }, timeout: 0 });
  // The same failure again is the same toast, and its time begins again.
  else
    toasts.add({
      ...toast,
      id: `${title}
${error.message}`,
      timeout: SHOWN_FOR,
    });
}

/** Shows a sentence once, even if it is reported again. */
export function showOnce(sentence: string): void {
  toasts.add({
    title: sentence,
    id: sentence,
    timeout: SHOWN_FOR,
    data: { isFailure: false, isUnexpected: false },
  });
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={toasts}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t('app.notices')}
          className="toasts fixed inset-x-4 z-50 mx-auto flex max-w-sm flex-col gap-2"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager<ToastData>();
  return shown.map((toast) => (
    <Toast.Root
      className="toast appear rounded-menu border border-line bg-raised p-3.5 shadow-menu"
      key={toast.id}
      toast={toast}
    >
      <Toast.Content className="flex items-start gap-3">
        {toast.data?.isFailure ? (
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger-ink" />
        ) : (
          <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
        )}
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="break-words text-ink-soft" />
          {toast.data?.isUnexpected && (
            <div className="mt-2">
              <CopyDiagnostics />
            </div>
          )}
        </div>
        <Toast.Close
          aria-label={t('app.dismiss')}
          className="-m-1.5 grid size-8 place-items-center rounded-control text-ink-soft hover:bg-sunken"
        >
          <X aria-hidden="true" className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
