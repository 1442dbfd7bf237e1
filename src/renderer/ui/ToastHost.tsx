import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import type { ToastKind } from './toast.ts';

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

/** Shows a toast; a duration of 0 keeps it. */
export function showToast(text: string, kind: ToastKind, durationMs: number): void {
  mount();
  toast(text, { type: kind, autoClose: durationMs === 0 ? false : durationMs });
}
