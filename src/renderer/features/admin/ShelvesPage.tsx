import { Library, LibraryBig } from 'lucide-react';
import { Link } from 'wouter';
import { SHELF_COLUMNS, type ShelfColumn } from '../../../shared/api/admin.ts';
import { api } from '../../../shared/api/index.ts';
import type { AdminLibrary, AdminShelf } from '../../../shared/model/admin.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Segments } from '../../ui/Segments.tsx';
import type { SortOrder } from '../../ui/SortHeader.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AdminList } from './AdminList.tsx';
import { AdminPage } from './AdminPage.tsx';
import type { Column } from './DataTable.tsx';
import { listQuery, PAGE_SIZE, useListAddress, useUnsortedAddress } from './listAddress.ts';
import { useAdminQuery } from './queries.ts';

const NEWEST: SortOrder<ShelfColumn> = { column: 'updated_at', descending: true };

/** The names of users lead to their accounts. */
function Owner({ name }: { readonly name: string }) {
  return (
    <Link className="table__link" href={paths.dashboard('users', { search: name })}>
      {name}
    </Link>
  );
}

function Archived({ archived, deleted }: { readonly archived: boolean; readonly deleted: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {archived && <span className="badge">{t('common.archived')}</span>}
      {deleted && <span className="badge badge--warning">{t('admin.deleted')}</span>}
    </>
  );
}

function ShelfList() {
  const { t } = useTranslation();
  const formats = useFormats();
  const address = useListAddress(SHELF_COLUMNS, NEWEST);
  const library = address.filter('library');
  const found = useAdminQuery(api.admin.shelves, {
    query: { ...listQuery(address), ...(library === '' ? {} : { library }) },
  });
  const columns: readonly Column<AdminShelf, ShelfColumn>[] = [
    {
      label: t('admin.shelves.shelf'),
      sort: 'name',
      cell: (shelf) => (
        <span className="table__title">
          {shelf.name}
          <Archived archived={shelf.archived} deleted={shelf.deleted} />
        </span>
      ),
    },
    {
      label: t('admin.shelves.library'),
      sort: 'library',
      cell: (shelf) => (
        <>
          <Link className="table__link" href={paths.dashboard('shelves', { library: shelf.library })}>
            {shelf.library}
          </Link>
          <span className="table__small">
            <Owner name={shelf.owner} />
          </span>
        </>
      ),
    },
    {
      label: t('admin.figures.members'),
      sort: 'member_count',
      isFigure: true,
      cell: ({ member_count }) => formats.number(member_count),
    },
    {
      label: t('admin.figures.documents'),
      sort: 'document_count',
      isFigure: true,
      cell: ({ id, document_count }) => (
        <Link className="text-link" href={paths.dashboard('documents', { shelf: id })}>
          {formats.number(document_count)}
        </Link>
      ),
    },
    {
      label: t('admin.shelves.changed'),
      sort: 'updated_at',
      isFigure: true,
      cell: ({ updated_at }) => <When moment={updated_at} />,
    },
  ];
  return (
    <AdminList
      label={t('admin.children.shelves')}
      address={address}
      found={found}
      columns={columns}
      keyOf={({ id }) => id}
      searchLabel={t('admin.shelves.search')}
      filter={library === '' ? null : { name: 'library', text: t('admin.shelves.inLibrary', { name: library }) }}
      empty={{ icon: LibraryBig, title: t('admin.shelves.none'), text: t('admin.shelves.noneText') }}
    />
  );
}

function LibraryList() {
  const { t } = useTranslation();
  const formats = useFormats();
  const address = useUnsortedAddress();
  const owner = address.filter('owner');
  const found = useAdminQuery(api.admin.libraries, {
    query: {
      page: address.page,
      page_size: PAGE_SIZE,
      ...(address.search === '' ? {} : { search: address.search }),
      ...(owner === '' ? {} : { owner }),
    },
  });
  const columns: readonly Column<AdminLibrary, string>[] = [
    {
      label: t('admin.shelves.library'),
      cell: ({ name, archived }) => (
        <span className="table__title">
          {name}
          <Archived archived={archived} deleted={false} />
        </span>
      ),
    },
    { label: t('admin.shelves.owner'), cell: ({ owner }) => <Owner name={owner} /> },
    {
      label: t('admin.figures.shelves'),
      isFigure: true,
      cell: ({ name, shelf_count }) => (
        <Link className="text-link" href={paths.dashboard('shelves', { library: name })}>
          {formats.number(shelf_count)}
        </Link>
      ),
    },
    {
      label: t('admin.figures.documents'),
      isFigure: true,
      cell: ({ document_count }) => formats.number(document_count),
    },
    { label: t('admin.shelves.made'), isFigure: true, cell: ({ created_at }) => <When moment={created_at} /> },
  ];
  return (
    <AdminList
      label={t('admin.figures.libraries')}
      address={address}
      found={found}
      columns={columns}
      keyOf={({ id }) => id}
      searchLabel={t('admin.shelves.searchLibraries')}
      filter={owner === '' ? null : { name: 'owner', text: t('admin.of', { name: owner }) }}
      empty={{ icon: Library, title: t('admin.shelves.noLibraries'), text: t('admin.shelves.noLibrariesText') }}
    />
  );
}

const VIEWS = ['shelves', 'libraries'] as const;

/** `/dashboard/shelves`: all shelves, or the libraries that they stand in. */
export function ShelvesPage() {
  const { t } = useTranslation();
  const { filter, narrow } = useUnsortedAddress();
  const view = filter('view') === 'libraries' ? 'libraries' : 'shelves';
  return (
    <AdminPage
      child="shelves"
      actions={
        <Segments
          label={t('admin.shelves.view')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`admin.figures.${value}`) }))}
          onChange={(next) =>
            narrow({ view: next === 'shelves' ? '' : next, library: '', owner: '', sort: '', order: '', search: '' })
          }
        />
      }
    >
      {view === 'libraries' ? <LibraryList /> : <ShelfList />}
    </AdminPage>
  );
}
