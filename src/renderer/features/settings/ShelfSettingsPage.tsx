import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import { queryKeys, useShelf } from '../../api/queries.ts';
import { roleOn } from '../../api/roles.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Missing } from '../../ui/Missing.tsx';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { ArchiveSection, DeleteSection, PlaceSettings } from './PlaceSettings.tsx';
import { useRetention } from './queries.ts';
import { RenameForm } from './RenameForm.tsx';
import './settings.css';

interface PartProps {
  readonly shelf: Shelf;
}

/** What changes when a shelf changes. */
function useShelfChanged() {
  const queries = useQueryClient();
  return (shelfId: string) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.shelf(shelfId) }),
      queries.invalidateQueries({ queryKey: queryKeys.libraries }),
    ]);
}

function Rename({ shelf }: PartProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const changed = useShelfChanged();
  const params = { lib: shelf.library, id: shelf.id };
  return (
    <Section title={t('people.rename')}>
      <RenameForm
        key={shelf.name}
        current={shelf.name}
        scope={`shelf:${shelf.library}`}
        ask={(name) => client.call(api.shelves.checkName, { params: { lib: shelf.library }, query: { name } })}
        save={async (name) => {
          await client.call(api.shelves.update, { params, body: { name } });
          await changed(shelf.id);
        }}
        hint={shelf.archived ? t('people.shelf.nameArchived') : t('people.shelf.nameHint')}
        disabled={shelf.archived}
      />
    </Section>
  );
}

function Members({ shelf, isOwner }: PartProps & { readonly isOwner: boolean }) {
  const { t } = useTranslation();
  return (
    <Section title={t('shelf.members')} text={t('common.members', { count: shelf.members.length })}>
      <div>
        <Link href={paths.shelfTab(shelf.library, shelf.id, 'members')} className="button">
          {t(isOwner ? 'people.shelf.manageMembers' : 'people.shelf.showMembers')}
        </Link>
      </div>
    </Section>
  );
}

/** How long old versions are kept, and which of them go soon (field.md row 22). */
function OldVersions({ shelf }: PartProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, error, isPending, isLoadingError, refetch } = useRetention(shelf.library, shelf.id);
  const days = data?.days ?? null;
  const text =
    data === undefined
      ? undefined
      : days === null
        ? t('people.shelf.keepAll')
        : t('people.shelf.keepDays', { count: days });
  return (
    <Section title={t('people.shelf.oldVersions')} {...(text === undefined ? {} : { text })}>
      {isPending ? (
        <LoadingRows rows={2} shape="text" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : days === null ? null : data.versions.length === 0 ? (
        <p>{t('people.shelf.noneDue')}</p>
      ) : (
        <ul className="rows settings__due">
          {data.versions.map((version) => (
            <li key={version.id}>
              <span className="rows__main">
                <span className="rows__title">
                  <Link href={paths.version(shelf.library, shelf.id, version.id)}>{version.name}</Link>
                </span>
                <span className="muted">
                  {t('common.version', { number: version.number })} · {formats.size(version.size)}
                </span>
              </span>
              <span className="muted">
                {t('people.shelf.goes')} <When moment={version.expires_at} />
              </span>
            </li>
          ))}
          {data.has_more && <li>{t('people.shelf.moreDue')}</li>}
        </ul>
      )}
    </Section>
  );
}

function Archive({ shelf }: PartProps) {
  const { client } = useServices();
  const changed = useShelfChanged();
  const params = { lib: shelf.library, id: shelf.id };
  const archive = async (action: 'archive' | 'unarchive') => {
    await client.call(api.shelves.archive, { params, body: { action } });
    await changed(shelf.id);
  };
  return <ArchiveSection of="shelf" name={shelf.name} isArchived={shelf.archived} onArchive={archive} />;
}

function Delete({ shelf }: PartProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const remove = async () => {
    await client.call(api.shelves.remove, { params: { lib: shelf.library, id: shelf.id } });
    notify(t('people.shelf.deleted', { shelf: shelf.name }));
    navigate(paths.library(shelf.library));
    queries.removeQueries({ queryKey: queryKeys.shelf(shelf.id) });
    await queries.invalidateQueries({ queryKey: queryKeys.libraries });
  };
  const documents = t('common.documents', { count: shelf.document_count });
  return (
    <DeleteSection
      of="shelf"
      name={shelf.name}
      description={t('people.shelf.deleteConfirm', { documents })}
      onDelete={remove}
    />
  );
}

/** The settings of a shelf. */
export function ShelfSettingsPage({ library, shelfId }: { readonly library: string; readonly shelfId: string }) {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = useShelf(library, shelfId);
  const username = useSession(({ user }) => user?.username ?? '');
  const title = t('people.shelf.title');
  const shelf = data?.shelf;
  useTitle(shelf === undefined ? title : `${title} · ${shelf.name}`);

  if (isAppError(error, 'not-found')) {
    return <Missing title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} />;
  }
  const isOwner = shelf !== undefined && roleOn(shelf, username) === 'owner';
  const owner = shelf?.members.find(({ role }) => role === 'owner');
  return (
    <PlaceSettings
      title={title}
      steps={[
        { name: shelf?.library ?? library, href: paths.library(shelf?.library ?? library) },
        { name: shelf?.name ?? '\u00a0', href: paths.shelf(library, shelfId) },
      ]}
      isPending={isPending}
      error={isLoadingError ? error : null}
      onRetry={() => void refetch()}
    >
      {shelf !== undefined && (
        <>
          {shelf.archived && <p className="notice notice--warning">{t('shelf.archivedNotice')}</p>}
          {isOwner ? (
            <Rename shelf={shelf} />
          ) : (
            <p className="notice">{t('people.shelf.notOwner', { who: owner?.name || owner?.username || '' })}</p>
          )}
          <Members shelf={shelf} isOwner={isOwner} />
          <OldVersions shelf={shelf} />
          {isOwner && (
            <>
              <Archive shelf={shelf} />
              <Delete shelf={shelf} />
            </>
          )}
        </>
      )}
    </PlaceSettings>
  );
}
