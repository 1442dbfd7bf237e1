import { type FormEvent, useId, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { ManagedNotice } from '../../../shared/model/notice.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { NoticeContent } from '../../ui/NoticeContent.tsx';
import { useDebounced } from '../../ui/nameCheck.ts';
import { Segments } from '../../ui/Segments.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { type NoticeForm, noticeDraftOf, noticeFormOf, noticeProblem } from './noticeDraft.ts';
import { useAdminChange } from './queries.ts';
import { TextArea } from './TextArea.tsx';

const CONTENT_TYPES = ['text', 'html'] as const;
const PREVIEW_MS = 300;

/** The notice as its readers will see it, a moment after the typing. */
function Preview({ title, content, content_type }: NoticeForm) {
  const { t } = useTranslation();
  const settled = useDebounced(content, PREVIEW_MS);
  return (
    <section className="notice-preview" aria-label={t('admin.notices.preview')}>
      <p className="notice-preview__label">{t('admin.notices.preview')}</p>
      <h3 className="dialog__title">{title.trim() || t('talk.serviceNotice')}</h3>
      {settled.trim() === '' ? (
        <p className="muted">{t('admin.notices.noContent')}</p>
      ) : (
        <NoticeContent title={t('admin.notices.preview')} content={settled} contentType={content_type} />
      )}
    </section>
  );
}

export interface NoticeEditorProps {
  /** Null writes a new one. */
  readonly notice: ManagedNotice | null;
  readonly onClose: () => void;
}

/** Writes a service notice, with a preview of what its readers get. */
export function NoticeEditor({ notice, onClose }: NoticeEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formId = useId();
  const [form, setForm] = useState(() => noticeFormOf(notice, Date.now()));
  const [isTried, setTried] = useState(false);
  const create = useAdminChange(api.notices.create);
  const update = useAdminChange(api.notices.update);
  const isSaving = create.isPending || update.isPending;
  const failure = create.error ?? update.error;
  const problem = noticeProblem(form);
  const errorOf = (field: typeof problem) =>
    isTried && problem === field && field !== null ? t(`admin.notices.problem_${field}`) : undefined;
  const change = (some: Partial<NoticeForm>) => setForm((before) => ({ ...before, ...some }));
  const onSuccess = () => {
    notify(t('admin.notices.saved'));
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem !== null || isSaving) return;
    const body = noticeDraftOf(form);
    if (notice === null) create.mutate({ body }, { onSuccess });
    else update.mutate({ params: { id: notice.id }, body }, { onSuccess });
  };
  return (
    <Dialog
      title={notice === null ? t('admin.notices.newTitle') : t('admin.notices.editTitle')}
      onClose={onClose}
      size="lg"
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={formId} className="button button--primary" disabled={isSaving}>
            {t('people.save')}
          </button>
        </>
      }
    >
      <form id={formId} className="admin-form" onSubmit={submit} noValidate>
        <Field
          label={t('admin.notices.title')}
          hint={t('admin.notices.titleHint')}
          value={form.title}
          maxLength={200}
          autoFocus
          onChange={({ target }) => change({ title: target.value })}
        />
        <div className="admin-form__row">
          <span className="field__label">{t('admin.notices.contentType')}</span>
          <Segments
            label={t('admin.notices.contentType')}
            value={form.content_type}
            options={CONTENT_TYPES.map((value) => ({ value, label: t(`admin.noteTypes.${value}`) }))}
            onChange={(content_type) => change({ content_type })}
          />
        </div>
        <TextArea
          label={t('admin.notices.content')}
          hint={form.content_type === 'html' ? t('admin.notices.htmlHint') : undefined}
          error={errorOf('content')}
          rows={6}
          maxLength={20_000}
          isCode={form.content_type === 'html'}
          value={form.content}
          onChange={(content) => change({ content })}
        />
        <div className="admin-form__pair">
          <Field
            label={t('admin.notices.start')}
            type="datetime-local"
            value={form.start}
            error={errorOf('start')}
            onChange={({ target }) => change({ start: target.value })}
          />
          <Field
            label={t('admin.notices.end')}
            type="datetime-local"
            value={form.end}
            error={errorOf('end')}
            onChange={({ target }) => change({ end: target.value })}
          />
        </div>
        <label className="check">
          <input type="checkbox" checked={form.active} onChange={({ target }) => change({ active: target.checked })} />
          {t('admin.notices.active')}
        </label>
      </form>
      <Preview {...form} />
      {failure !== null && (
        <p className="notice notice--danger" role="alert">
          {isAppError(failure, 'not-found') ? t('admin.notices.gone') : errorText(failure)}
        </p>
      )}
    </Dialog>
  );
}
