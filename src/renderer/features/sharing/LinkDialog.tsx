import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { ShareLink } from '../../../shared/model/shareLink.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useDocumentHistory } from '../../api/queries.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { draftOf, EXPIRIES, type Expiry, type LinkDraft, problemsOf, settingsOf } from './linkDraft.ts';
import { useLinkActions } from './links.ts';
import './sharing.css';

/** What a new link will lead to. */
export interface ShareSubject {
  readonly library: string;
  readonly shelfId: string;
  readonly name: string;
  /** Null for the whole shelf. */
  readonly documentId: string | null;
  /** The version that is proposed; null for the current one, whichever that is. */
  readonly versionId: string | null;
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children?: ReactNode;
}

/** A setting that can be off; its details show while it is on. */
function Switch({ label, isOn, onChange, children }: SwitchProps) {
  return (
    <div className="link-form__switch">
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
        {label}
      </label>
      {isOn && children}
    </div>
  );
}

interface VersionChoiceProps {
  readonly documentId: string;
  readonly versionId: string | null;
  readonly onChange: (versionId: string | null) => void;
}

/** One version for ever, or always the current one (field.md row 42). */
function VersionChoice({ documentId, versionId, onChange }: VersionChoiceProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const { data: versions = [] } = useDocumentHistory(documentId);
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {t('sharing.which')}
      </label>
      <select
        id={id}
        className="input select"
        value={versionId ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        <option value="">{t('sharing.currentVersion')}</option>
        {versions.map(({ id: version, number, created_at }) => (
          <option key={version} value={version}>
            {t('sharing.onlyVersionFrom', { number, when: formats.dateTime(created_at) })}
          </option>
        ))}
      </select>
      <p className="field__hint">{versionId === null ? t('sharing.currentHint') : t('sharing.versionHint')}</p>
    </div>
  );
}

interface PartProps {
  readonly draft: LinkDraft;
  readonly change: (change: Partial<LinkDraft>) => void;
  /** Messages of what is wrong, once it was tried to save. */
  readonly problem: (field: keyof ReturnType<typeof problemsOf>) => string | undefined;
}

function ExpiryFields({ draft, change, problem }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="link-form__pair">
      <div className="field">
        <label className="field__label" htmlFor={id}>
          {t('sharing.expires')}
        </label>
        <select
          id={id}
          className="input select"
          value={draft.expiry}
          onChange={({ target }) => change({ expiry: EXPIRIES.find((each) => each === target.value) ?? 'never' })}
        >
          {EXPIRIES.map((expiry: Expiry) => (
            <option key={expiry} value={expiry}>
              {t(`sharing.expiry_${expiry}`)}
            </option>
          ))}
        </select>
      </div>
      {draft.expiry === 'date' && (
        <Field
          label={t('sharing.expiryDate')}
          type="datetime-local"
          value={draft.date}
          onChange={({ target }) => change({ date: target.value })}
          error={problem('date')}
        />
      )}
    </div>
  );
}

function AccessFields({ draft, change, problem, hadPassword }: PartProps & { readonly hadPassword: boolean }) {
  const { t } = useTranslation();
  const emailsId = useId();
  const emailsError = problem('emails');
  return (
    <>
      <Switch
        label={t('sharing.usePassword')}
        isOn={draft.hasPassword}
        onChange={(hasPassword) => change({ hasPassword })}
      >
        <Field
          label={t('sharing.password')}
          type="password"
          autoComplete="new-password"
          maxLength={LIMITS.passwordMaxLength}
          value={draft.password}
          placeholder={hadPassword ? t('sharing.passwordKept') : ''}
          onChange={({ target }) => change({ password: target.value })}
          hint={t('sharing.passwordHint', { count: LIMITS.passwordMinLength })}
          error={problem('password')}
        />
      </Switch>
      <Switch label={t('sharing.useEmails')} isOn={draft.isForSome} onChange={(isForSome) => change({ isForSome })}>
        <div className="field">
          <label className="field__label" htmlFor={emailsId}>
            {t('sharing.emails')}
          </label>
          <textarea
            id={emailsId}
            className="input"
            rows={3}
            spellCheck={false}
            value={draft.emails}
            placeholder={t('sharing.emailsPlaceholder')}
            onChange={({ target }) => change({ emails: target.value })}
            aria-invalid={emailsError !== undefined}
            aria-describedby={`${emailsId}-note`}
          />
          <p
            id={`${emailsId}-note`}
            className={emailsError === undefined ? 'field__hint' : 'field__error'}
            aria-live="polite"
          >
            {emailsError ?? t('sharing.emailsHint')}
          </p>
        </div>
      </Switch>
    </>
  );
}

function MoreFields({ draft, change, problem, secret }: PartProps & { readonly secret: string | null }) {
  const { t } = useTranslation();
  return (
    <details className="link-form__more" open={problem('maxViews') !== undefined || problem('webhook') !== undefined}>
      <summary>{t('sharing.more')}</summary>
      <div className="link-form__fields">
        <Field
          label={t('sharing.maxViews')}
          inputMode="numeric"
          value={draft.maxViews}
          onChange={({ target }) => change({ maxViews: target.value.trim() })}
          hint={t('sharing.maxViewsHint')}
          error={problem('maxViews')}
        />
        <Field
          label={t('sharing.webhook')}
          type="url"
          placeholder="https://"
          value={draft.webhook}
          onChange={({ target }) => change({ webhook: target.value.trim() })}
          hint={secret === null ? t('sharing.webhookHint') : t('sharing.webhookSecret', { secret })}
          error={problem('webhook')}
        />
      </div>
    </details>
  );
}

export interface LinkDialogProps {
  /** What a new link leads to; a link that exists leads where it does. */
  readonly subject: ShareSubject;
  /** Null makes a new one. */
  readonly link: ShareLink | null;
  readonly onClose: () => void;
  readonly onSaved: (link: ShareLink) => void;
}

/** The settings of a share link. */
export function LinkDialog({ subject, link, onClose, onSaved }: LinkDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const actions = useLinkActions();
  const formId = useId();
  const [draft, setDraft] = useState(() => draftOf(link));
  const [versionId, setVersionId] = useState(subject.versionId);
  const [tried, setTried] = useState(false);
  const { documentId } = subject;
  const change = (some: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...some }));
  const save = useMutation({
    mutationFn: () => {
      const settings = settingsOf(draft, link, Date.now());
      if (link !== null) return actions.change(link, settings);
      const { revoked: _never, ...body } = settings;
      const target =
        documentId === null
          ? { kind: 'shelf' as const }
          : versionId === null
            ? { kind: 'document' as const, document_id: documentId }
            : { kind: 'version' as const, version_id: versionId };
      return actions.create(subject.library, subject.shelfId, { ...body, ...target });
    },
    onSuccess: onSaved,
  });
  const problems = problemsOf(draft, link, Date.now());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(problems).every((each) => each === undefined) && !save.isPending) save.mutate();
  };
  const part: PartProps = {
    draft,
    change,
    problem: (field) => {
      const problem = tried ? problems[field] : undefined;
      return problem === undefined ? undefined : t(`sharing.${problem}`);
    },
  };
  return (
    <Dialog
      title={link === null ? t('sharing.newTitle', { name: subject.name }) : t('sharing.editTitle')}
      description={link === null ? t('sharing.newText') : t('sharing.editText')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={formId} className="button button--primary" disabled={save.isPending}>
            {link === null ? t('sharing.create') : t('sharing.save')}
          </button>
        </>
      }
    >
      <form id={formId} className="link-form__fields" onSubmit={submit} noValidate>
        <Field
          label={t('sharing.label')}
          value={draft.label}
          maxLength={100}
          autoComplete="off"
          autoFocus
          hint={t('sharing.labelHint')}
          onChange={({ target }) => change({ label: target.value })}
        />
        {link === null && documentId !== null && (
          <VersionChoice documentId={documentId} versionId={versionId} onChange={setVersionId} />
        )}
        <ExpiryFields {...part} />
        <Switch
          label={t('sharing.allowDownload')}
          isOn={draft.allowDownload}
          onChange={(allowDownload) => change({ allowDownload })}
        />
        {!draft.allowDownload && <p className="field__hint link-form__note">{t('sharing.viewOnlyHint')}</p>}
        <AccessFields {...part} hadPassword={link?.has_password ?? false} />
        <Switch label={t('sharing.notify')} isOn={draft.notifies} onChange={(notifies) => change({ notifies })} />
        <MoreFields {...part} secret={link?.managed?.webhook_secret ?? null} />
      </form>
      {save.error !== null && (
        <p className="notice notice--danger" role="alert">
          {errorText(save.error)}
        </p>
      )}
    </Dialog>
  );
}
