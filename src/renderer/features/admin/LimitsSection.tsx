import { useState } from 'react';
import type { PlanType } from '../../../shared/model/common.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { typedNumber } from './numbers.ts';
import { PLAN_TYPES } from './planTypes.ts';
import { SettingsForm } from './SettingsForm.tsx';
import { useSaveSettings } from './useSaveSettings.ts';
import './limits.css';

const RESOURCES = ['libraries', 'shelves', 'documents'] as const;
type Resource = (typeof RESOURCES)[number];
/** As they are typed; empty is unlimited. */
type Typed = Readonly<Record<PlanType, Readonly<Record<Resource, string>>>>;

const MOST = 1_000_000_000;

function typedOf(limits: Settings['plan_limits']): Typed {
  const textOf = (limit: number | null) => (limit === null ? '' : String(limit));
  const plan = (type: PlanType) => ({
    libraries: textOf(limits[type].max_libraries),
    shelves: textOf(limits[type].max_shelves),
    documents: textOf(limits[type].max_documents),
  });
  return { 0: plan(0), 1: plan(1), 2: plan(2), 99: plan(99) };
}

/** The limits that were typed, or null where one of them is no number. */
function limitsOf(typed: Typed): Settings['plan_limits'] | null {
  const plan = (type: PlanType) => {
    const [libraries, shelves, documents] = RESOURCES.map((resource) => typedNumber(typed[type][resource], 0, MOST));
    if (libraries === undefined || shelves === undefined || documents === undefined) return null;
    return { max_libraries: libraries, max_shelves: shelves, max_documents: documents };
  };
  const [unverified, basic, pro, enterprise] = PLAN_TYPES.map(plan);
  if (!unverified || !basic || !pro || !enterprise) return null;
  return { 99: unverified, 0: basic, 1: pro, 2: enterprise };
}

/** What each plan has room for (decisions.md §5). */
export function LimitsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(() => typedOf(settings.plan_limits));
  const { save, isSaving, failure } = useSaveSettings();
  const wanted = limitsOf(typed);
  const change = (plan: PlanType, resource: Resource, text: string) =>
    setTyped((before) => ({ ...before, [plan]: { ...before[plan], [resource]: text } }));
  const submit = () => {
    // What went wrong shows in the form.
    if (wanted !== null) save({ plan_limits: wanted }).catch(() => undefined);
  };
  return (
    <SettingsForm
      title={t('admin.settings.limits')}
      text={t('admin.settings.limitsText')}
      isSaving={isSaving}
      failure={failure}
      onSubmit={submit}
    >
      <table className="limits" aria-label={t('admin.settings.limits')}>
        <thead className="limits__head">
          <tr>
            <th scope="col" className="limits__cell">
              {t('admin.users.plan')}
            </th>
            {RESOURCES.map((resource) => (
              <th key={resource} scope="col" className="limits__cell">
                {t(`admin.figures.${resource}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="limits__body">
          {PLAN_TYPES.map((plan) => (
            <tr key={plan} className="limits__row">
              <th scope="row" className="limits__cell">
                {t(`plans.${PLAN_NAMES[plan]}`)}
              </th>
              {RESOURCES.map((resource) => {
                const text = typed[plan][resource];
                return (
                  <td key={resource} className="limits__cell" data-label={t(`admin.figures.${resource}`)}>
                    <input
                      className="input limits__input"
                      inputMode="numeric"
                      aria-label={`${t(`plans.${PLAN_NAMES[plan]}`)}: ${t(`admin.figures.${resource}`)}`}
                      aria-invalid={typedNumber(text, 0, MOST) === undefined}
                      placeholder={t('admin.settings.unlimited')}
                      value={text}
                      onChange={({ target }) => change(plan, resource, target.value)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {wanted === null && (
        <p className="field__error" role="alert">
          {t('admin.settings.badNumber')}
        </p>
      )}
    </SettingsForm>
  );
}
