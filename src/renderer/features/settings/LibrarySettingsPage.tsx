import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Library, Shelf, ShelfMember } from '../../../shared/model/library.ts';
import { useFullLimit, usePlan } from '../../api/planQueries.ts';
import { queryKeys, useLibrary } from '../../api/queries.ts';
import { ownsLibrary, roleOn } from '../../api/roles.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Missing } from '../../ui/Missing.tsx';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/toast.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { ArchiveSection, DeleteSection, PlaceSettings } from './PlaceSettings.tsx';
import { RenameForm } from './RenameForm.tsx';
import './settings.css';

type WholeLibrary = Library & { readonly shelves: readonly Shelf[] };
interface PartProps {
  readonly library: WholeLibrary;
}

const memberName = ({ name, username }: ShelfMember) => (name === '' ? username : `${name} (${username})`);

function Rename({ library }: PartProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const { check, rememberLibrary } = useSession((state) => state);
  const save = async (name: string) => {
    const renamed = await client.call(api.libraries.update, { params: { name: library.name }, body: { name } });
    rememberLibrary(renamed.name);
    // First away from the old address, which nothing answers to any more.
    navigate(paths.librarySettings(renamed.name), { replace: true });
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.libraries }),
      queries.invalidateQueries({ queryKey: ['shelf'] }),
      check(),
    ]);
  };
  return (
    <Section title={t('people.rename')}>
      <RenameForm
        current={library.name}
        scope="library"
        ask={(name) => client.call(api.libraries.checkName, { query: { name } })}
        save={save}
        hint={library.archived ? t('people.library.nameArchived') : t('people.library.nameHint')}
        disabled={library.archived}
      />
    </Section>
  );
}

function Shelves({ library, isOwner }: PartProps & { readonly isOwner: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const username = useSession(({ user }) => user?.username ?? '');
  const { data: plan } = usePlan();
  const full = useFullLimit('shelves');
  const max = plan?.plans.find(({ plan_type }) => plan_type === plan.plan_type)?.max_shelves ?? null;
  const room =
    plan === undefined || max === null
      ? undefined
      : t('people.library.room', { used: formats.number(plan.used.shelves), max: formats.number(max) });
  return (
    <Section title={t('library.shelves')} {...(isOwner && room !== undefined ? { text: room } : {})}>
      {library.shelves.length === 0 ? (
        <p>{t('library.emptyText')}</p>
      ) : (
        <ul className="rows">
          {library.shelves.map((shelf) => (
            <li key={shelf.id}>
              <span className="rows__main">
                <span className="rows__title">
                  <Link href={paths.shelf(library.name, shelf.id)}>{shelf.name}</Link>
                  {shelf.archived && <span className="badge badge--warning">{t('common.archived')}</span>}
                </span>
                <span className="muted">
                  {[
                    t('common.documents', { count: shelf.document_count }),
                    t('common.members', { count: shelf.members.length }),
                    ...(isOwner ? [] : [t(`shelf.${roleOn(shelf, username) ?? 'viewer'}`)]),
                  ].join(' · ')}
                </span>
              </span>
              <Link
                href={paths.shelfSettings(library.name, shelf.id)}
                className="button button--small"
                aria-label={t('people.library.shelfSettings', { shelf: shelf.name })}
              >
                {t('nav.settings')}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isOwner && full === null && !library.archived && (
        <div>
          <Link href={paths.library(library.name)} className="button">
            {t('people.library.toShelves')}
          </Link>
        </div>
      )}
    </Section>
  );
}

/** Members of any shelf may become the owner; each of them once. */
function heirsOf(library: WholeLibrary): ShelfMember[] {
  const members = library.shelves.flatMap((shelf) => shelf.members).filter(({ role }) => role !== 'owner');
  return [...new Map(members.map((member) => [member.member_id, member])).values()].sort((a, b) =>
    memberName(a).localeCompare(memberName(b)),
  );
}

function Transfer({ library }: PartProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const check = useSession((state) => state.check);
  const id = useId();
  const heirs = heirsOf(library);
  const [chosen, setChosen] = useState('');
  const [isAsking, setAsking] = useState(false);
  const heir = heirs.find(({ username }) => username === chosen);
  const transfer = async (to: ShelfMember) => {
    await client.call(api.libraries.transfer, { params: { name: library.name }, body: { username: to.username } });
    notify(t('people.library.transferred', { library: library.name, who: memberName(to) }));
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.libraries }),
      queries.invalidateQueries({ queryKey: ['shelf'] }),
      check(),
    ]);
  };
  return (
    <Section title={t('people.library.transfer')} text={t('people.library.transferText')}>
      {heirs.length === 0 ? (
        <p>{t('people.library.noHeirs')}</p>
      ) : (
        <div className="settings__choice">
          <div className="field">
            <label className="field__label" htmlFor={id}>
              {t('people.library.heir')}
            </label>
            <select id={id} className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="">{t('people.library.chooseHeir')}</option>
              {heirs.map((member) => (
                <option key={member.member_id} value={member.username}>
                  {memberName(member)}
                </option>
              ))}
            </select>
          </div>
          <button type="button" className="button" disabled={heir === undefined} onClick={() => setAsking(true)}>
            {t('people.library.transferVerb')}
          </button>
        </div>
      )}
      {isAsking && heir !== undefined && (
        <ConfirmDialog
          title={t('people.library.transferTitle', { library: library.name, who: memberName(heir) })}
          description={t('people.library.transferConfirm')}
          verb={t('people.library.transferVerb')}
          errorText={(error) =>
            isAppError(error, 'plan-limit-reached') ? t('people.library.transferFull', { who: memberName(heir) }) : null
          }
          onConfirm={() => transfer(heir)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function Archive({ library }: PartProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const archive = async (action: 'archive' | 'unarchive') => {
    await client.call(api.libraries.archive, { params: { name: library.name }, body: { action } });
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.libraries }),
      queries.invalidateQueries({ queryKey: ['shelf'] }),
    ]);
  };
  return <ArchiveSection of="library" name={library.name} isArchived={library.archived} onArchive={archive} />;
}

function Delete({ library }: PartProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const { user, check, forgetLibrary } = useSession((state) => state);
  const count = library.shelves.reduce((sum, shelf) => sum + shelf.document_count, 0);
  const remove = async () => {
    await client.call(api.libraries.remove, { params: { name: library.name } });
    forgetLibrary(library.name);
    notify(t('people.library.deleted', { library: library.name }));
    navigate(paths.user(user?.username ?? ''));
    queries.removeQueries({ queryKey: queryKeys.library(library.name) });
    await Promise.all([queries.invalidateQueries({ queryKey: queryKeys.libraries }), check()]);
  };
  return (
    <DeleteSection
      of="library"
      name={library.name}
      description={t('people.library.deleteConfirm', {
        shelves: t('common.shelves', { count: library.shelf_count }),
        documents: t('common.documents', { count }),
      })}
      onDelete={remove}
    />
  );
}

/** The settings of a library: for its owner all that only the owner may do, for members what they have of it. */
export function LibrarySettingsPage({ library: name }: { readonly library: string }) {
  const { t } = useTranslation();
  const { data: library, error, isPending, isLoadingError, refetch } = useLibrary(name);
  const username = useSession(({ user }) => user?.username ?? '');
  const title = t('people.library.title');
  useTitle(`${title} · ${library?.name ?? name}`);

  if (isAppError(error, 'not-found')) {
    return <Missing title={t('library.notFoundTitle')} text={t('library.notFoundText')} />;
  }
  const isOwner = library !== undefined && ownsLibrary(library, username);
  const owner = library?.shelves.flatMap((shelf) => shelf.members).find(({ role }) => role === 'owner');
  return (
    <PlaceSettings
      title={title}
      steps={[{ name: library?.name ?? name, href: paths.library(library?.name ?? name) }]}
      isPending={isPending}
      error={isLoadingError ? error : null}
      onRetry={() => void refetch()}
    >
      {library !== undefined && (
        <>
          {library.archived && <p className="notice notice--warning">{t('library.archivedNotice')}</p>}
          {isOwner ? (
            <Rename library={library} />
          ) : (
            <p className="notice">
              {t('people.library.notOwner', { who: owner === undefined ? '' : memberName(owner) })}
            </p>
          )}
          <Shelves library={library} isOwner={isOwner} />
          {isOwner && (
            <>
              <Transfer library={library} />
              <Archive library={library} />
              <Delete library={library} />
            </>
          )}
        </>
      )}
    </PlaceSettings>
  );
}
