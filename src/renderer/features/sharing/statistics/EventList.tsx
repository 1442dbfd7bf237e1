import { Download, Eye } from 'lucide-react';
import { Link } from 'wouter';
import type { ShareEvent } from '../../../../shared/model/shareLink.ts';
import { paths } from '../../../app/routes.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { splitName } from '../../../ui/fileKind.ts';
import { When } from '../../../ui/When.tsx';
import type { StatisticsScope } from './useStatistics.ts';
import '../../../ui/chart/figures.css';

/** Which version was seen, and the way to what changed since (field.md row 47). */
function SeenVersion({ event, scope }: { readonly event: ShareEvent; readonly scope: StatisticsScope }) {
  const { t } = useTranslation();
  const { version_number, version_id, current_version_id, newer_versions } = event;
  if (version_number === null) return null;
  const badge = <span className="badge">{t('sharing.saw', { number: version_number })}</span>;
  if (!newer_versions || version_id === null || current_version_id === null) return badge;
  return (
    <>
      {badge}
      <Link className="text-link" href={paths.compare(scope.library, scope.shelfId, current_version_id, version_id)}>
        {t('sharing.newerSince', { count: newer_versions })}
      </Link>
    </>
  );
}

function EventRow({ event, scope }: { readonly event: ShareEvent; readonly scope: StatisticsScope }) {
  const { t } = useTranslation();
  const Icon = event.kind === 'view' ? Eye : Download;
  const name =
    event.document_name !== null
      ? splitName(event.document_name).base
      : event.document_id === null
        ? t('sharing.listOfShelf')
        : t('sharing.goneDocument');
  const facts = [
    event.email ?? t('sharing.visitor', { id: event.visitor }),
    event.audience !== 'visitor' && t(`sharing.audience_${event.audience}`),
    t(`sharing.device_${event.device}`, { defaultValue: event.device }),
    event.referrer !== '' && t('sharing.cameFrom', { host: event.referrer }),
    scope.linkId === null && (event.link_label || t('sharing.unlabelled')),
  ].filter((fact) => fact !== false);
  return (
    <li className="event">
      <Icon aria-hidden="true" />
      <div className="event__main">
        <p className="event__what">
          <span className="visually-hidden">{t(`sharing.event_${event.kind}`)}</span>
          <strong>{name}</strong>
          <SeenVersion event={event} scope={scope} />
        </p>
        <p className="muted event__who">{facts.join(' · ')}</p>
      </div>
      <span className="muted event__when">
        <When moment={event.at} />
      </span>
    </li>
  );
}

export interface EventListProps {
  readonly events: readonly ShareEvent[];
  readonly count: number;
  readonly scope: StatisticsScope;
  /** Null when all are there. */
  readonly onMore: (() => void) | null;
  readonly isLoading: boolean;
}

/** What the figures count, one by one. */
export function EventList({ events, count, scope, onMore, isLoading }: EventListProps) {
  const { t } = useTranslation();
  return (
    <section className="card figures-card" aria-labelledby="stat-events">
      <header className="figures-card__head">
        <h2 id="stat-events" className="figures-card__title">
          {t('sharing.events')}
        </h2>
        <span className="muted">{t('sharing.eventCount', { count })}</span>
      </header>
      <ul className="events">
        {events.map((event) => (
          <EventRow key={event.id} event={event} scope={scope} />
        ))}
      </ul>
      {onMore !== null && (
        <button type="button" className="button events__more" onClick={onMore} disabled={isLoading}>
          {t('sharing.showMore')}
        </button>
      )}
    </section>
  );
}
