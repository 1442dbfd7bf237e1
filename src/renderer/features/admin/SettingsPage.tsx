import { api } from '../../../shared/api/index.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { AdminPage } from './AdminPage.tsx';
import { LimitsSection } from './LimitsSection.tsx';
import { MailSection } from './MailSection.tsx';
import { ProvidersSection } from './ProvidersSection.tsx';
import { useAdminQuery } from './queries.ts';
import { RetentionSection } from './RetentionSection.tsx';
import { SignUpSection } from './SignUpSection.tsx';

/** `/dashboard/settings`: what holds for the whole server. Secrets are written here and never read (decisions.md §11). */
export function SettingsPage() {
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.admin.settings, {});
  return (
    <AdminPage child="settings">
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError || data === undefined ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <div className="sections">
          <SignUpSection settings={data} />
          <LimitsSection settings={data} />
          <RetentionSection settings={data} />
          <MailSection settings={data} />
          <ProvidersSection settings={data} />
        </div>
      )}
    </AdminPage>
  );
}
