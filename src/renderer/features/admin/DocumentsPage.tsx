import { Files } from 'lucide-react';
import { Link } from 'wouter';
import { DOCUMENT_COLUMNS, type DocumentColumn } from '../../../shared/api/admin.ts';
import { api } from '../../../shared/api/index.ts';
import type { AdminDocument } from '../../../shared/model/admin.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import type { SortOrder } from '../../ui/SortHeader.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { AdminList } from './AdminList.tsx';
import { AdminPage } from './AdminPage.tsx';
import type { Column } from './DataTable.tsx';
import { listQuery, useListAddress } from './listAddress.ts';
import { useAdminQuery } from './queries.ts';

const BY_NAME: SortOrder<DocumentColumn> = { column: 'name', descending: false };

/** `/dashboard/documents`: names and sizes, since an administrator reads no contents. */
export function DocumentsPage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const address = useListAddress(DOCUMENT_COLUMNS, BY_NAME);
  const [shelf, owner] = [address.filter('shelf'), address.filter('owner')];
  const found = useAdminQuery(api.admin.documents, {
    query: {
      ...listQuery(address),
      ...(shelf === '' ? {} : { shelf_id: shelf }),
      ...(owner === '' ? {} : { owner }),
    },
  });
  const [first] = found.data?.items ?? [];
  const place = first?.shelf_id === shelf ? `${first.library} / ${first.shelf}` : t('admin.documents.oneShelf');
  const filter =
    shelf !== ''
      ? { name: 'shelf', text: place }
      : owner === ''
        ? null
        : { name: 'owner', text: t('admin.of', { name: owner }) };
  const columns: readonly Column<AdminDocument, DocumentColumn>[] = [
    {
      label: t('admin.documents.document'),
      sort: 'name',
      cell: ({ name, deleted }) => (
        <span className="table__title">
          <FileIcon name={name} />
          <span className="table__file">{name}</span>
          {deleted && <span className="badge badge--warning">{t('admin.documents.inTrash')}</span>}
        </span>
      ),
    },
    {
      label: t('admin.documents.place'),
      sort: 'shelf',
      cell: (document) => (
        <>
          <Link className="table__link" href={paths.dashboard('documents', { shelf: document.shelf_id })}>
            {document.shelf}
          </Link>
          <span className="table__small">
            <Link className="table__link" href={paths.dashboard('shelves', { library: document.library })}>
              {document.library}
            </Link>
          </span>
        </>
      ),
    },
    {
      label: t('admin.documents.versions'),
      sort: 'current_version',
      isFigure: true,
      cell: ({ current_version }) => formats.number(current_version),
    },
    {
      label: t('admin.documents.size'),
      sort: 'size',
      isFigure: true,
      cell: ({ size }) => formats.size(size),
    },
  ];
  return (
    <AdminPage child="documents">
      <AdminList
        label={t('admin.children.documents')}
        address={address}
        found={found}
        columns={columns}
        keyOf={({ id }) => id}
        searchLabel={t('admin.documents.search')}
        filter={filter}
        empty={{ icon: Files, title: t('admin.documents.none'), text: t('admin.documents.noneText') }}
      />
    </AdminPage>
  );
}
