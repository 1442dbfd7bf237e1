import { Check } from 'lucide-react';
import { Link } from 'wouter';
import brand from '../../../../resources/brand.json';
import type { PlanOffer } from '../../../shared/api/account.ts';
import { usePlan } from '../../api/planQueries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { PLAN_RESOURCES } from '../../ui/planLimit.ts';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import './plans.css';

function PlanCard({ offer, isOwn }: { readonly offer: PlanOffer; readonly isOwn: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const name = PLAN_NAMES[offer.plan_type];
  return (
    <li className="plan card" data-own={isOwn}>
      <header className="plan__head">
        <h2 className="plan__name">{t(`plans.${name}`)}</h2>
        {isOwn && <span className="badge badge--accent">{t('people.plans.own')}</span>}
      </header>
      <p className="muted">{t(`people.plans.${name}Text`)}</p>
      <ul className="plan__limits">
        {PLAN_RESOURCES.map((resource) => {
          const max = offer[`max_${resource}`];
          return (
            <li key={resource}>
              <Check aria-hidden="true" />
              {max === null
                ? t(`people.plans.${resource}Unlimited`)
                : t(`people.plans.${resource}`, { count: max, shown: formats.number(max) })}
            </li>
          );
        })}
      </ul>
    </li>
  );
}

/** Compares the plans, with the numbers that the administrator set (decisions.md §5). */
export function PlansPage() {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = usePlan();
  useTitle(t('nav.plans'));
  return (
    <div className="page">
      <header className="plans__head">
        <h1 className="page__title serif">{t('nav.plans')}</h1>
        <p className="muted">{t('people.plans.lead')}</p>
      </header>
      {isPending ? (
        <LoadingRows rows={4} shape="tile" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="plans">
          {data.plans.map((offer) => (
            <PlanCard key={offer.plan_type} offer={offer} isOwn={offer.plan_type === data.plan_type} />
          ))}
        </ul>
      )}
      <footer className="plans__foot">
        <p>
          {t('people.plans.change')}{' '}
          <a className="text-link" href={`mailto:${brand.contact.general}`}>
            {brand.contact.general}
          </a>
        </p>
        <Link href={paths.billing} className="button">
          {t('people.plans.toBilling')}
        </Link>
      </footer>
    </div>
  );
}
