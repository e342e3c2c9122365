import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorBoundary } from './app/error-boundary.tsx';
import { answerGivenFiles } from './chat/writing/given-files.ts';
import { LockGate } from './lock/lock-gate.tsx';
import { reportUncaught } from './report-fault.ts';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

reportUncaught();
answerGivenFiles();
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <LockGate>
        <App />
      </LockGate>
    </ErrorBoundary>
  </StrictMode>,
);
