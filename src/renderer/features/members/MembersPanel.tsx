import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Ellipsis, LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import type { Member } from '../../../shared/model/member.ts';
import { queryKeys } from '../../api/queries.ts';
import { roleOn } from '../../api/roles.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/Menu.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { useMembers } from './queries.ts';
import './members.css';

const GIVEN_ROLES = ['editor', 'viewer'] as const;
const nameOf = ({ name, username }: Pick<Member, 'name' | 'username'>) => name || username;

interface MemberMenuProps {
  readonly member: Member;
  readonly shelf: Shelf;
  readonly onRemove: () => void;
}

/** What the owner may do with a member. */
function MemberMenu({ member, shelf, onRemove }: MemberMenuProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const setRole = useMutation({
    mutationFn: (role: (typeof GIVEN_ROLES)[number]) =>
      client.call(api.members.setRole, {
        params: { lib: shelf.library, id: shelf.id },
        body: { member_id: member.member_id, role },
      }),
    onSuccess: ({ role }) => notify(t('people.members.roleSet', { who: nameOf(member), role: t(`shelf.${role}`) })),
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.shelf(shelf.id) }),
  });
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="icon-button"
          aria-label={t('people.members.actions', { who: nameOf(member) })}
          disabled={setRole.isPending}
        >
          <Ellipsis />
        </button>
      }
    >
      {!shelf.archived && (
        <>
          <MenuLabel>{t('people.members.role')}</MenuLabel>
          {GIVEN_ROLES.map((role) => (
            <MenuItem key={role} onSelect={() => role !== member.role && setRole.mutate(role)}>
              {t(`shelf.${role}`)}
              {role === member.role && <Check className="menu__end" aria-label={t('people.members.present')} />}
            </MenuItem>
          ))}
          <MenuLine />
        </>
      )}
      <MenuItem onSelect={onRemove}>{t('people.members.remove')}</MenuItem>
    </Menu>
  );
}

/** The shelf's members tab: who may what on it, and for its owner the invitations. */
export function MembersPanel({ shelf }: { readonly shelf: Shelf }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const username = useSession(({ user }) => user?.username ?? '');
  const { data, error, isPending, isLoadingError, refetch } = useMembers(shelf.library, shelf.id);
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const isOwner = roleOn(shelf, username) === 'owner';
  const own = data?.members.find((member) => member.username === username);
  const isLeaving = removing !== null && removing.member_id === own?.member_id;

  const take = (member: Member) =>
    client.call(api.members.remove, {
      params: { lib: shelf.library, id: shelf.id },
      body: { member_id: member.member_id },
    });
  const remove = async (member: Member) => {
    await take(member);
    await queries.invalidateQueries({ queryKey: queryKeys.shelf(shelf.id) });
    notify(t('people.members.removed', { who: nameOf(member) }));
  };
  const leave = async (member: Member) => {
    await take(member);
    notify(t('people.members.left', { shelf: shelf.name }));
    navigate(paths.user(username));
    queries.removeQueries({ queryKey: queryKeys.shelf(shelf.id) });
    await queries.invalidateQueries({ queryKey: queryKeys.libraries });
  };

  return (
    <div className="members">
      <section className="members__part" aria-labelledby="shelf-members">
        <header className="members__head">
          <h2 id="shelf-members" className="members__title">
            {t('shelf.members')}
          </h2>
          {isOwner && !shelf.archived && (
            <button type="button" className="button button--small" onClick={() => setInviting(true)}>
              <UserPlus />
              {t('people.members.invite')}
            </button>
          )}
        </header>
        {isPending ? (
          <LoadingRows rows={Math.max(shelf.members.length, 1)} />
        ) : isLoadingError ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <ul className="members__list">
            {data.members.map((member) => (
              <li key={member.member_id} className="member">
                <Avatar name={nameOf(member)} username={member.username} large />
                <span className="member__text">
                  <span className="member__name">
                    {nameOf(member)}
                    {member.username === username && <span className="muted"> {t('people.members.you')}</span>}
                  </span>
                  <span className="member__facts">
                    <span>{t(`shelf.${member.role}`)}</span>
                    {member.email !== null && <span className="member__email">{member.email}</span>}
                  </span>
                </span>
                {isOwner && member.role !== 'owner' && (
                  <MemberMenu member={member} shelf={shelf} onRemove={() => setRemoving(member)} />
                )}
              </li>
            ))}
          </ul>
        )}
        {isOwner && data?.members.length === 1 && data.invitations.length === 0 && (
          <p className="members__hint">{t('people.members.alone')}</p>
        )}
        {!isOwner && own !== undefined && (
          <button type="button" className="button button--quiet members__leave" onClick={() => setRemoving(own)}>
            <LogOut />
            {t('people.members.leave')}
          </button>
        )}
      </section>
      {data !== undefined && <Invitations invitations={data.invitations} shelf={shelf} />}
      {isInviting && <InviteDialog shelf={shelf} onClose={() => setInviting(false)} />}
      {removing !== null && (
        <ConfirmDialog
          title={
            isLeaving
              ? t('people.members.leaveTitle', { shelf: shelf.name })
              : t('people.members.removeTitle', { who: nameOf(removing), shelf: shelf.name })
          }
          description={t(isLeaving ? 'people.members.leaveText' : 'people.members.removeText')}
          verb={isLeaving ? t('people.members.leave') : t('people.members.removeVerb')}
          onConfirm={() => (isLeaving ? leave(removing) : remove(removing))}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  );
}
