import { ChartNoAxesColumn, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { fillPath } from '../../../../shared/api/call.ts';
import { SHARING_STREAMS } from '../../../../shared/api/sharing.ts';
import { isAppError } from '../../../../shared/errors.ts';
import { SHARE_AUDIENCES, type ShareAudience, type ShareStatistics } from '../../../../shared/model/shareLink.ts';
import { useShelf } from '../../../api/queries.ts';
import { paths } from '../../../app/routes.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Breadcrumb } from '../../../ui/Breadcrumb.tsx';
import { bucketsOf, dayOf, firstDayOf } from '../../../ui/chart/buckets.ts';
import { DayChart } from '../../../ui/chart/DayChart.tsx';
import { splitName } from '../../../ui/fileKind.ts';
import { Missing } from '../../../ui/Missing.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { useFormats, useNow } from '../../../ui/useFormats.ts';
import { useTitle } from '../../../ui/useTitle.ts';
import { When } from '../../../ui/When.tsx';
import { useShareLinks } from '../links.ts';
import { Breakdown } from './Breakdown.tsx';
import { EventList } from './EventList.tsx';
import { filterQuery, type StatisticsScope, useLiveStatistics, useStatistics } from './useStatistics.ts';
import '../../../ui/chart/figures.css';
import './statistics.css';

const PERIODS = { week: 7, month: 30, quarter: 90, all: null } as const;
type Period = keyof typeof PERIODS;
const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[];

function Totals({ totals }: Pick<ShareStatistics, 'totals'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <dl className="totals stat__totals">
      <div className="card totals__item">
        <dt>{t('sharing.figureViews')}</dt>
        <dd>{formats.number(totals.views)}</dd>
      </div>
      <div className="card totals__item">
        <dt>{t('sharing.figurePeople')}</dt>
        <dd title={t('sharing.peopleHint')}>{formats.number(totals.unique_visitors)}</dd>
      </div>
      <div className="card totals__item">
        <dt>{t('sharing.figureDownloads')}</dt>
        <dd>{formats.number(totals.downloads)}</dd>
      </div>
      <div className="card totals__item">
        <dt>{t('sharing.lastOpened')}</dt>
        <dd className="totals__when">
          {totals.last_access === null ? t('common.never') : <When moment={totals.last_access} />}
        </dd>
      </div>
    </dl>
  );
}

interface AudienceChoiceProps {
  readonly audiences: readonly ShareAudience[];
  readonly onChange: (audiences: readonly ShareAudience[]) => void;
}

/** Whom all figures count; the last one stays, since nothing can be said about nobody. */
function AudienceChoice({ audiences, onChange }: AudienceChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="stat__audiences">
      <legend className="visually-hidden">{t('sharing.audiences')}</legend>
      {SHARE_AUDIENCES.map((each) => {
        const isOn = audiences.includes(each);
        return (
          <label key={each} className="check">
            <input
              type="checkbox"
              checked={isOn}
              disabled={isOn && audiences.length === 1}
              onChange={() =>
                onChange(SHARE_AUDIENCES.filter((other) => (other === each ? !isOn : audiences.includes(other))))
              }
            />
            {t(`sharing.audiences_${each}`)}
          </label>
        );
      })}
    </fieldset>
  );
}

interface ShareChartProps {
  readonly figures: ShareStatistics;
  readonly from: string | null;
  readonly today: string;
}

/** Views and downloads over time; the people of each day stand in the table. */
function ShareChart({ figures: { per_day }, from, today }: ShareChartProps) {
  const { t } = useTranslation();
  const figures = [
    { label: t('sharing.figureViews'), isDrawn: true },
    { label: t('sharing.figureDownloads'), isDrawn: true },
    { label: t('sharing.figurePeople'), isDrawn: false },
  ];
  const days = per_day.map(({ day, views, downloads, unique_visitors }) => ({
    day,
    values: [views, downloads, unique_visitors],
  }));
  return (
    <DayChart title={t('sharing.overTime')} figures={figures} buckets={bucketsOf(days, figures.length, from, today)} />
  );
}

function Breakdowns({ figures, scope }: { readonly figures: ShareStatistics; readonly scope: StatisticsScope }) {
  const { t } = useTranslation();
  const { totals } = figures;
  return (
    <div className="stat__columns">
      {scope.linkId === null && (
        <Breakdown
          title={t('sharing.perLink')}
          rows={figures.per_link}
          totals={totals}
          nameOf={({ key, name }) => (
            <Link className="text-link" href={paths.shareStatistics(scope.library, scope.shelfId, key)}>
              {name || t('sharing.unlabelled')}
            </Link>
          )}
        />
      )}
      <Breakdown
        title={t('sharing.perDocument')}
        rows={figures.per_document}
        totals={totals}
        nameOf={({ key, name }) =>
          key === '' ? t('sharing.listOfShelf') : name === null ? t('sharing.goneDocument') : splitName(name).base
        }
      />
      <Breakdown
        title={t('sharing.perDevice')}
        rows={figures.per_device}
        totals={totals}
        nameOf={({ key }) => t(`sharing.device_${key}`, { defaultValue: key })}
      />
      <Breakdown
        title={t('sharing.perReferrer')}
        rows={figures.per_referrer}
        totals={totals}
        nameOf={({ key }) => (key === '' ? t('sharing.direct') : key)}
      />
    </div>
  );
}

export interface StatisticsPageProps {
  readonly library: string;
  readonly shelfId: string;
  /** Null for all links of the shelf. */
  readonly linkId: string | null;
}

/** Who opened what by share links, and when; all figures are of the same events (field.md rows 43 to 47). */
export function StatisticsPage({ library, shelfId, linkId }: StatisticsPageProps) {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<Period>('month');
  const [audiences, setAudiences] = useState<readonly ShareAudience[]>(['visitor']);
  const today = dayOf(useNow());
  const from = firstDayOf(PERIODS[period], Date.parse(today));
  const filter = useMemo(() => ({ from, audiences }), [from, audiences]);
  const scope = useMemo(() => ({ library, shelfId, linkId }), [library, shelfId, linkId]);
  useLiveStatistics(scope);
  const found = useStatistics(scope, filter);
  const { data, error, isPending, isLoadingError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const { data: detail } = useShelf(library, shelfId);
  const { data: links } = useShareLinks(library, shelfId);
  const link = links?.find(({ id }) => id === linkId);
  const figures = data?.pages[0];
  const title = linkId === null ? t('sharing.statistics') : link?.label || t('sharing.unlabelled');
  useTitle(title);
  if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) {
    return <Missing title={t('sharing.missing')} text={t(`errors.${error.code}`)} />;
  }
  return (
    <div className="page">
      <header className="sharing__head">
        <Breadcrumb
          steps={[
            { name: detail?.shelf.library ?? library, href: paths.library(library) },
            { name: detail?.shelf.name ?? '…', href: paths.shelf(library, shelfId) },
            { name: t('sharing.title'), href: paths.share(library, shelfId) },
            ...(linkId === null
              ? []
              : [{ name: t('sharing.statistics'), href: paths.shareStatistics(library, shelfId) }]),
          ]}
        />
        <div className="page__head">
          <h1 className="page__title serif">{title}</h1>
          {linkId !== null && (
            <a
              className="button"
              href={`${fillPath(SHARING_STREAMS.csv, { lib: library, id: shelfId, linkId })}?${new URLSearchParams(filterQuery(filter))}`}
              download
            >
              <Download />
              {t('sharing.csv')}
            </a>
          )}
        </div>
        {link !== undefined && (
          <p className="muted">{link.document_name ?? t('sharing.wholeShelf', { name: link.shelf })}</p>
        )}
      </header>
      <div className="stat__filter">
        <Segments
          label={t('sharing.period')}
          value={period}
          options={PERIOD_NAMES.map((value) => ({ value, label: t(`sharing.period_${value}`) }))}
          onChange={setPeriod}
        />
        <AudienceChoice audiences={audiences} onChange={setAudiences} />
      </div>
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError || figures === undefined ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : figures.event_count === 0 ? (
        <div className="card">
          <EmptyState icon={ChartNoAxesColumn} title={t('sharing.noEvents')} text={t('sharing.noEventsText')} />
        </div>
      ) : (
        <>
          <Totals totals={figures.totals} />
          <ShareChart figures={figures} from={from} today={today} />
          <Breakdowns figures={figures} scope={scope} />
          <EventList
            events={data.pages.flatMap(({ events }) => events)}
            count={figures.event_count}
            scope={scope}
            onMore={hasNextPage ? () => void fetchNextPage() : null}
            isLoading={isFetchingNextPage}
          />
        </>
      )}
    </div>
  );
}
