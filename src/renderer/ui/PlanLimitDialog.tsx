import { Link } from 'wouter';
import { paths } from '../app/routes.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { Dialog } from './Dialog.tsx';
import type { PlanLimit } from './planLimit.ts';
import { useFormats } from './useFormats.ts';

export interface PlanLimitDialogProps {
  readonly limit: PlanLimit;
  readonly onClose: () => void;
}

/** The shelf-limit modal and its like for libraries and documents: which limit, how much of it is used, what can be done. */
export function PlanLimitDialog({ limit: { resource, max, used }, onClose }: PlanLimitDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Dialog
      title={t(`people.limit.${resource}Title`)}
      description={t(`people.limit.${resource}Text`, { max: formats.number(max), used: formats.number(used) })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.close')}
          </button>
          <Link href={paths.plans} className="button button--primary" onClick={onClose}>
            {t('people.limit.compare')}
          </Link>
        </>
      }
    >
      <p>{t(`people.limit.${resource}Advice`)}</p>
    </Dialog>
  );
}
