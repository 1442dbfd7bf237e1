import { fileKind } from './fileKind.ts';
import './fileIcon.css';

/** A sheet of paper with the letters of the file's kind: told apart by letters, not by colour alone. */
export function FileIcon({ name }: { readonly name: string }) {
  const { kind, letters } = fileKind(name);
  return (
    <svg className="file-icon" data-kind={kind} viewBox="0 0 28 32" aria-hidden="true" focusable="false">
      <path
        className="file-icon__sheet"
        d="M4.5 1.5h12.9l6.1 6.1v20.9a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2v-25a2 2 0 0 1 2-2z"
      />
      <path className="file-icon__fold" d="M17.2 1.8v4.4a1.8 1.8 0 0 0 1.8 1.8h4.3" />
      {letters === '' ? (
        <path className="file-icon__lines" d="M8 15h11M8 19h11M8 23h7" />
      ) : (
        <text className="file-icon__letters" x="13" y="23.5" textAnchor="middle" data-length={letters.length}>
          {letters}
        </text>
      )}
    </svg>
  );
}
