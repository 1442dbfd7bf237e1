import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SegmentsRow } from '../../ui/Segments.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { MOST_INVITED, readInvited } from './invited.ts';
import { membersKey } from './queries.ts';

type Outcome = CallOutput<typeof api.members.invite>['outcomes'][number];
type GivenRole = 'editor' | 'viewer';

const ROLES = ['editor', 'viewer'] as const satisfies readonly GivenRole[];
const isSent = ({ outcome }: Outcome) => outcome === 'invited' || outcome === 'sent-again';

function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const { t } = useTranslation();
  return (
    <ul className="invite__outcomes" role="status">
      {outcomes.map((each) => (
        <li key={each.invited} data-sent={isSent(each)}>
          {isSent(each) ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
          <span className="invite__who">{each.invited}</span>
          <span className="muted">{t(`people.members.outcomes.${each.outcome}`)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Invites people by user name or email address. Whoever could not be invited stays in the field, with the reason. */
export function InviteDialog({ shelf, onClose }: { readonly shelf: Shelf; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const id = useId();
  const [text, setText] = useState('');
  const [role, setRole] = useState<GivenRole>('editor');
  const [tried, setTried] = useState(false);
  const {
    members,
    emails,
    invalid: [wrong],
  } = readInvited(text);
  const count = members.length + emails.length;
  const problem =
    wrong !== undefined
      ? t('people.members.invalidEmail', { address: wrong })
      : members.length > MOST_INVITED || emails.length > MOST_INVITED
        ? t('people.members.tooMany', { count: MOST_INVITED })
        : count === 0
          ? t('people.members.nobody')
          : null;

  const invite = useMutation({
    mutationFn: () =>
      client.call(api.members.invite, {
        params: { lib: shelf.library, id: shelf.id },
        body: { members: [...members], emails: [...emails], role },
      }),
    onSuccess: async ({ outcomes }) => {
      await queries.invalidateQueries({ queryKey: membersKey(shelf.id) });
      const failed = outcomes.filter((each) => !isSent(each));
      setText(failed.map(({ invited }) => invited).join('\n'));
      setTried(false);
      if (failed.length > 0) return;
      notify(t('people.members.invited', { count: outcomes.length }));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem === null && !invite.isPending) invite.mutate();
  };
  const shown = tried ? problem : null;

  return (
    <Dialog
      title={t('people.members.inviteTitle', { shelf: shelf.name })}
      description={t('people.members.inviteText')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={id} className="button button--primary" disabled={invite.isPending}>
            {count === 0 ? t('people.members.invite') : t('people.members.inviteCount', { count })}
          </button>
        </>
      }
    >
      <form id={id} className="invite" onSubmit={submit} noValidate>
        <div className="field">
          <label className="field__label" htmlFor={`${id}-who`}>
            {t('people.members.who')}
          </label>
          <textarea
            id={`${id}-who`}
            className="input"
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            aria-invalid={shown !== null}
            aria-describedby={`${id}-note`}
          />
          <p id={`${id}-note`} className={shown === null ? 'field__hint' : 'field__error'} aria-live="polite">
            {shown ?? t('people.members.whoHint')}
          </p>
        </div>
        <SegmentsRow
          label={t('people.members.role')}
          value={role}
          options={ROLES.map((value) => ({ value, label: t(`shelf.${value}`) }))}
          onChange={setRole}
        />
        <p className="field__hint">{t(`people.members.can.${role}`)}</p>
      </form>
      {invite.data !== undefined && <Outcomes outcomes={invite.data.outcomes} />}
      {invite.isError && (
        <p className="notice notice--danger" role="alert">
          {isAppError(invite.error, 'throttled') ? t('people.members.throttled') : errorText(invite.error)}
        </p>
      )}
    </Dialog>
  );
}
