import { Users } from 'lucide-react';
import { Link } from 'wouter';
import { USER_COLUMNS, type UserColumn } from '../../../shared/api/admin.ts';
import { api } from '../../../shared/api/index.ts';
import type { AdminUser } from '../../../shared/model/admin.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import type { SortOrder } from '../../ui/SortHeader.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AdminList } from './AdminList.tsx';
import { AdminPage } from './AdminPage.tsx';
import type { Column } from './DataTable.tsx';
import { listQuery, useListAddress } from './listAddress.ts';
import { PLAN_TYPES } from './planTypes.ts';
import { useAdminQuery } from './queries.ts';
import { UserMenu } from './UserMenu.tsx';

const NEWEST: SortOrder<UserColumn> = { column: 'created_at', descending: true };

/** The plan that says it already. */
const UNVERIFIED = 99;

function UserName({ user }: { readonly user: AdminUser }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="table__title">
        {user.username || t('admin.users.unfinished')}
        {user.user_type === 0 && <span className="badge badge--info">{t('admin.users.administrator')}</span>}
        {!user.email_verified && user.plan_type !== UNVERIFIED && (
          <span className="badge badge--warning">{t('people.profile.notVerified')}</span>
        )}
        {user.disabled && <span className="badge badge--danger">{t('admin.users.disabled')}</span>}
      </span>
      <span className="table__small">{user.name === '' ? user.email : `${user.name} · ${user.email}`}</span>
    </>
  );
}

/** `/dashboard/users`: all accounts, and what an administrator can do with them. */
export function UsersPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const address = useListAddress(USER_COLUMNS, NEWEST);
  const plan = PLAN_TYPES.find((each) => String(each) === address.filter('plan'));
  const found = useAdminQuery(api.admin.users, {
    query: { ...listQuery(address), ...(plan === undefined ? {} : { plan_type: plan }) },
  });
  const columns: readonly Column<AdminUser, UserColumn>[] = [
    { label: t('admin.users.user'), sort: 'username', cell: (user) => <UserName user={user} /> },
    {
      label: t('admin.users.plan'),
      sort: 'plan_type',
      cell: ({ plan_type }) => <span className="nowrap">{t(`plans.${PLAN_NAMES[plan_type]}`)}</span>,
    },
    {
      label: t('admin.figures.libraries'),
      sort: 'library_count',
      isFigure: true,
      cell: ({ username, library_count }) => (
        <Link className="text-link" href={paths.dashboard('shelves', { view: 'libraries', owner: username })}>
          {formats.number(library_count)}
        </Link>
      ),
    },
    {
      label: t('admin.figures.documents'),
      sort: 'document_count',
      isFigure: true,
      cell: ({ username, document_count }) => (
        <Link className="text-link" href={paths.dashboard('documents', { owner: username })}>
          {formats.number(document_count)}
        </Link>
      ),
    },
    {
      label: t('admin.users.joined'),
      sort: 'created_at',
      isFigure: true,
      cell: ({ created_at }) => <When moment={created_at} />,
    },
    {
      label: t('admin.users.seen'),
      sort: 'last_seen_at',
      isFigure: true,
      cell: ({ last_seen_at }) => (last_seen_at === null ? t('common.never') : <When moment={last_seen_at} />),
    },
  ];
  return (
    <AdminPage child="users">
      <AdminList
        label={t('admin.children.users')}
        address={address}
        found={found}
        columns={columns}
        keyOf={({ id }) => id}
        actions={(user) => <UserMenu user={user} />}
        searchLabel={t('admin.users.search')}
        isNarrowed={plan !== undefined}
        tools={
          <select
            className="input select grid-tools__select"
            aria-label={t('admin.users.plan')}
            value={plan ?? ''}
            onChange={({ target }) => address.narrow({ plan: target.value })}
          >
            <option value="">{t('admin.users.allPlans')}</option>
            {PLAN_TYPES.map((each) => (
              <option key={each} value={each}>
                {t(`plans.${PLAN_NAMES[each]}`)}
              </option>
            ))}
          </select>
        }
        empty={{ icon: Users, title: t('admin.users.none'), text: t('admin.users.noneText') }}
      />
    </AdminPage>
  );
}
