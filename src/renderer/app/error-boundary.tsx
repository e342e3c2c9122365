import { Component, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { CopyDiagnostics } from '../design/copy-diagnostics.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Mark } from '../design/mark.tsx';
import { reportFault } from '../report-fault.ts';
import { t } from '../words.tsx';

interface ErrorBoundaryState {
  failed: boolean;
  /** Id of the log record; null while unknown. */
  id: string | null;
}

/** Catches errors of rendering. Messages are safe in the engine, so reloading is harmless. */
export class ErrorBoundary extends Component<{ children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false, id: null };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    void reportFault(error).then((id) => this.setState({ id }));
  }

  override render() {
    const { id } = this.state;
    if (!this.state.failed) return this.props.children;
    return (
      <main className="flex h-full">
        <EmptyState
          action={
            <div className="flex flex-col items-center gap-3">
              <Button onClick={() => window.location.reload()} tone="primary">
                {t('app.reload')}
              </Button>
              <CopyDiagnostics />
            </div>
          }
          heading="h1"
          picture={<Mark size={56} />}
          text={id === null ? t('app.wentWrongHelp') : t('app.wentWrongHelpId', { id })}
          title={t('app.wentWrong')}
        />
      </main>
    );
  }
}
