import { Link } from 'wouter';
import { usePlan } from '../../api/planQueries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { PLAN_RESOURCES, type PlanResource } from '../../ui/planLimit.ts';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import './plans.css';

interface UseProps {
  readonly resource: PlanResource;
  readonly used: number;
  readonly max: number | null;
}

/** How much of one limit is used, in words and as a bar. */
function Use({ resource, used, max }: UseProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const label = t(`people.billing.${resource}`);
  const isFull = max !== null && used >= max;
  return (
    <li className="use">
      <span className="use__label">{label}</span>
      <span className="use__numbers">
        {max === null
          ? t('people.billing.unlimited', { used: formats.number(used) })
          : t('people.billing.usedOf', { used: formats.number(used), max: formats.number(max) })}
        {isFull && <span className="badge badge--danger">{t('people.billing.full')}</span>}
      </span>
      {max !== null && (
        <meter
          className="use__meter"
          aria-label={label}
          min={0}
          max={Math.max(max, 1)}
          value={isFull ? Math.max(max, 1) : used}
          data-full={isFull}
        />
      )}
    </li>
  );
}

/** The user's plan, and its use against each limit (decisions.md §5). */
export function BillingPage() {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = usePlan();
  useTitle(t('people.billing.title'));
  const own = data?.plans.find(({ plan_type }) => plan_type === data.plan_type);
  return (
    <div className="page page--prose">
      <h1 className="page__title serif">{t('people.billing.title')}</h1>
      <section className="billing card" aria-label={t('people.billing.plan')}>
        {isPending ? (
          <LoadingRows rows={4} shape="text" />
        ) : isLoadingError || own === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <header className="billing__head">
              <div>
                <p className="muted">{t('people.billing.plan')}</p>
                <h2 className="billing__plan">{t(`plans.${PLAN_NAMES[data.plan_type]}`)}</h2>
              </div>
              <Link href={paths.plans} className="button">
                {t('people.limit.compare')}
              </Link>
            </header>
            {data.plan_type === 99 && (
              <p className="notice">
                <span>
                  {t('people.billing.unverified')}{' '}
                  <Link href={paths.settings} className="text-link">
                    {t('people.accountSettings')}
                  </Link>
                </span>
              </p>
            )}
            <ul className="billing__uses">
              {PLAN_RESOURCES.map((resource) => (
                <Use key={resource} resource={resource} used={data.used[resource]} max={own[`max_${resource}`]} />
              ))}
            </ul>
            <p className="muted">{t('people.billing.counts')}</p>
          </>
        )}
      </section>
    </div>
  );
}
