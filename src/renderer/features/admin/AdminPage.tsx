import type { ReactNode } from 'react';
import type { DashboardChild } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

export interface AdminPageProps {
  readonly child: DashboardChild;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the dashboard under its title, with what it is for. */
export function AdminPage({ child, actions, children }: AdminPageProps) {
  const { t } = useTranslation();
  return (
    <>
      <header className="page__head">
        <div className="admin__titles">
          <h1 className="page__title serif">{t(`admin.children.${child}`)}</h1>
          <p className="muted">{t(`admin.leads.${child}`)}</p>
        </div>
        {actions !== undefined && <div className="page__actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
