import { laterPart } from '../../ui/later.tsx';

export const CreateDialog = laterPart(async () => (await import('./CreateDialog.tsx')).CreateDialog);
export const PlanLimitDialog = laterPart(async () => (await import('../../ui/PlanLimitDialog.tsx')).PlanLimitDialog);
