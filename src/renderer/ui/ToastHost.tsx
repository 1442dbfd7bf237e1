import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import './toast.css';
import type { ToastAction, ToastKind } from './toast.ts';

let mounted = false;

/** The library's defaults are the specification's (desktop-shell.md §9), but for the product's own duration. */
function mount(): void {
  if (mounted) return;
  mounted = true;
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(
    <ToastContainer position="top-right" draggable draggablePercent={60} limit={20} newestOnTop theme="light" />,
  );
}

/** Shows a toast and gives what closes it; a duration of 0 keeps it. Its action closes it, and can be reached by keyboard while it stands. */
export function showToast(
  text: string,
  kind: ToastKind,
  durationMs: number,
  action?: ToastAction,
  title?: string,
): () => void {
  mount();
  const words =
    title === undefined ? (
      text
    ) : (
      <span className="toast-words">
        <strong>{title}</strong>
        <span>{text}</span>
      </span>
    );
  const shown = toast(
    action === undefined ? (
      words
    ) : (
      <span className="toast-line">
        <span>{words}</span>
        <button
          type="button"
          className="button button--small"
          onClick={(event) => {
            event.stopPropagation();
            toast.dismiss(shown);
            action.run();
          }}
        >
          {action.label}
        </button>
      </span>
    ),
    { type: kind, autoClose: durationMs === 0 ? false : durationMs },
  );
  return () => toast.dismiss(shown);
}
