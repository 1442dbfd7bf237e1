import {
  CircleAlert,
  CircleCheck,
  CircleSlash,
  Clock,
  CloudOff,
  FileWarning,
  LoaderCircle,
  type LucideIcon,
  MonitorDown,
  PencilLine,
  ServerOff,
  TriangleAlert,
} from 'lucide-react';
import { Link } from 'wouter';
import { assertNever } from '../../../../shared/errors.ts';
import type { Shelf } from '../../../../shared/model/library.ts';
import type { Checkout } from '../../../../shared/model/workspace.ts';
import { paths } from '../../../app/routes.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { WorkspaceCapability } from '../../../platform/types.ts';
import { Meter } from '../../../ui/Meter.tsx';
import { type CheckoutSummary, folderName, summaryOf } from './summary.ts';
import { useKeepShelf } from './useCheckouts.ts';
import './checkouts.css';

const ICONS: Readonly<Record<CheckoutSummary['kind'], LucideIcon>> = {
  gone: CircleSlash,
  elsewhere: ServerOff,
  failed: CircleAlert,
  waiting: Clock,
  offline: CloudOff,
  inStep: CircleCheck,
  syncing: LoaderCircle,
  conflicts: TriangleAlert,
  changes: PencilLine,
  attention: FileWarning,
};

/** The words for how a kept shelf stands. */
export function useSummaryText(): (summary: CheckoutSummary) => string {
  const { t } = useTranslation();
  return (summary) => {
    switch (summary.kind) {
      case 'syncing':
        return summary.progress === null ? t('checkouts.syncing') : t('checkouts.syncingOf', summary.progress);
      case 'conflicts':
      case 'changes':
      case 'attention': {
        const { kind, count, isOffline } = summary;
        const text = t(`checkouts.${kind}`, { count });
        return isOffline ? t('checkouts.andOffline', { text }) : text;
      }
      case 'gone':
      case 'elsewhere':
      case 'failed':
      case 'waiting':
      case 'offline':
      case 'inStep':
        return t(`checkouts.${summary.kind}`);
      default:
        return assertNever(summary);
    }
  };
}

/** How a shelf stands on this computer; it leads to its changes. */
export function CheckoutButton({ checkout, hasFolder }: { readonly checkout: Checkout; readonly hasFolder: boolean }) {
  const { t } = useTranslation();
  const summaryText = useSummaryText();
  const summary = summaryOf(checkout);
  const text = summaryText(summary);
  const Icon = ICONS[summary.kind];
  const progress = summary.kind === 'syncing' ? summary.progress : null;
  const folder = folderName(checkout.folder);
  return (
    <Link
      href={paths.changesHere(checkout.folder)}
      className="button button--small button--quiet kept"
      data-kind={summary.kind}
      title={t('checkouts.showChanges', { folder: checkout.folder })}
    >
      <Icon aria-hidden="true" />
      <span className="kept__text">
        <span>{text}</span>
        {hasFolder && <span className="kept__folder truncated">{folder}</span>}
        <span className="visually-hidden">, {checkout.shelf}</span>
        {progress !== null && progress.total > 0 && (
          // The text says it.
          <span aria-hidden="true">
            <Meter label={text} {...progress} />
          </span>
        )}
      </span>
    </Link>
  );
}

export interface ShelfHereProps {
  readonly shelf: Shelf;
  readonly checkouts: readonly Checkout[];
  readonly workspace: WorkspaceCapability;
}

/** How a shelf stands on this computer, or the way to keep it there. */
export function ShelfHere({ shelf, checkouts, workspace }: ShelfHereProps) {
  const { t } = useTranslation();
  const { mutate: keep, isPending } = useKeepShelf(workspace);
  const own = checkouts.filter(({ shelf_id }) => shelf_id === shelf.id);
  if (own.length > 0) {
    return (
      <span className="kept-all">
        {own.map((checkout) => (
          <CheckoutButton key={checkout.folder} checkout={checkout} hasFolder={own.length > 1} />
        ))}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="button button--small button--quiet kept"
      disabled={isPending}
      onClick={() => keep(shelf)}
    >
      {isPending ? <LoaderCircle className="turning" aria-hidden="true" /> : <MonitorDown aria-hidden="true" />}
      {t('checkouts.keep')}
      <span className="visually-hidden">, {shelf.name}</span>
    </button>
  );
}
