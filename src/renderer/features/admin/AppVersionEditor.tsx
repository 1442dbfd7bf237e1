import { type FormEvent, useId, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { type AppVersion, AppVersionDraft, type Platform } from '../../../shared/model/appVersion.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { Installers } from './Installers.tsx';
import { useAdminChange } from './queries.ts';
import { TextArea } from './TextArea.tsx';

const PLATFORMS = ['win32', 'darwin', 'linux'] as const satisfies readonly Platform[];
const NOTE_TYPES = ['markdown', 'text', 'html'] as const;

function draftOf(version: AppVersion | null): AppVersionDraft {
  if (version === null) {
    return {
      version: '',
      platform: 'win32',
      channel: 'latest',
      release_notes: '',
      release_note_type: 'markdown',
      mandatory: false,
      published: false,
    };
  }
  const { id: _id, files: _files, published_at, ...draft } = version;
  return { ...draft, published: published_at !== null };
}

interface PartProps {
  readonly draft: AppVersionDraft;
  readonly change: (some: Partial<AppVersionDraft>) => void;
}

/** Which version for whom. What is published stays what it is. */
function Identity({
  draft,
  change,
  isFixed,
  isTried,
}: PartProps & { readonly isFixed: boolean; readonly isTried: boolean }) {
  const { t } = useTranslation();
  const { shape } = AppVersionDraft;
  const isBad = (field: 'version' | 'channel') => isTried && !shape[field].safeParse(draft[field]).success;
  return (
    <>
      <div className="admin-form__pair">
        <Field
          label={t('admin.versions.version')}
          placeholder="1.2.3"
          value={draft.version}
          disabled={isFixed}
          autoComplete="off"
          error={isBad('version') ? t('admin.versions.badVersion') : undefined}
          onChange={({ target }) => change({ version: target.value.trim() })}
        />
        <Field
          label={t('admin.versions.channel')}
          hint={t('admin.versions.channelHint')}
          value={draft.channel}
          disabled={isFixed}
          autoComplete="off"
          error={isBad('channel') ? t('admin.versions.badChannel') : undefined}
          onChange={({ target }) => change({ channel: target.value.trim() })}
        />
      </div>
      <fieldset className="admin-form__row" disabled={isFixed}>
        <legend className="field__label">{t('admin.versions.platform')}</legend>
        <Segments
          label={t('admin.versions.platform')}
          value={draft.platform}
          options={PLATFORMS.map((value) => ({ value, label: t(`admin.versions.platform_${value}`) }))}
          onChange={(platform) => change({ platform })}
        />
      </fieldset>
    </>
  );
}

function Notes({ draft, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="admin-form__row">
        <span className="field__label">{t('admin.versions.noteType')}</span>
        <Segments
          label={t('admin.versions.noteType')}
          value={draft.release_note_type}
          options={NOTE_TYPES.map((value) => ({ value, label: t(`admin.noteTypes.${value}`) }))}
          onChange={(release_note_type) => change({ release_note_type })}
        />
      </div>
      <TextArea
        label={t('admin.versions.notes')}
        rows={6}
        maxLength={50_000}
        isCode={draft.release_note_type === 'html'}
        value={draft.release_notes}
        onChange={(release_notes) => change({ release_notes })}
      />
    </>
  );
}

export interface AppVersionEditorProps {
  /** Null records a new one. */
  readonly version: AppVersion | null;
  readonly onClose: () => void;
}

/** Records a version of the desktop application, takes its installers, and publishes it. */
export function AppVersionEditor({ version, onClose }: AppVersionEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formId = useId();
  const [recorded, setRecorded] = useState(version);
  const [draft, setDraft] = useState(() => draftOf(version));
  const [isTried, setTried] = useState(false);
  const create = useAdminChange(api.appVersions.create);
  const update = useAdminChange(api.appVersions.update);
  const isPublished = recorded?.published_at != null;
  const isSaving = create.isPending || update.isPending;
  const failure = create.error ?? update.error;
  const change = (some: Partial<AppVersionDraft>) => setDraft((before) => ({ ...before, ...some }));
  const save = () => {
    if (recorded === null) {
      // Its installers can be sent once it is recorded: the dialog stays for them.
      create.mutate({ body: draft }, { onSuccess: setRecorded });
      return;
    }
    const onSuccess = (saved: AppVersion) => {
      notify(
        t(saved.published_at === null ? 'admin.versions.saved' : 'admin.versions.isPublished', { name: saved.version }),
      );
      onClose();
    };
    update.mutate({ params: { id: recorded.id }, body: draft }, { onSuccess });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (AppVersionDraft.safeParse(draft).success && !isSaving) save();
  };
  return (
    <Dialog
      title={
        recorded === null ? t('admin.versions.newTitle') : t('admin.versions.editTitle', { name: recorded.version })
      }
      onClose={onClose}
      size="lg"
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={formId} className="button button--primary" disabled={isSaving}>
            {recorded === null
              ? t('admin.versions.record')
              : draft.published && !isPublished
                ? t('admin.versions.publishVerb')
                : t('people.save')}
          </button>
        </>
      }
    >
      <form id={formId} className="admin-form" onSubmit={submit} noValidate>
        <Identity draft={draft} change={change} isFixed={isPublished} isTried={isTried} />
        <Notes draft={draft} change={change} />
        <label className="check">
          <input
            type="checkbox"
            checked={draft.mandatory}
            onChange={({ target }) => change({ mandatory: target.checked })}
          />
          {t('admin.versions.mandatoryLabel')}
        </label>
        {recorded === null ? (
          <p className="field__hint">{t('admin.versions.installersLater')}</p>
        ) : (
          <>
            <Installers version={recorded} isFixed={isPublished} onChange={setRecorded} />
            <label className="check">
              <input
                type="checkbox"
                checked={draft.published}
                disabled={recorded.files.length === 0}
                onChange={({ target }) => change({ published: target.checked })}
              />
              {t('admin.versions.publishedLabel')}
            </label>
          </>
        )}
      </form>
      {failure !== null && (
        <p className="notice notice--danger" role="alert">
          {isAppError(failure, 'conflict') ? t('admin.versions.conflict') : errorText(failure)}
        </p>
      )}
    </Dialog>
  );
}
