import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Breadcrumb, type BreadcrumbProps } from '../../ui/Breadcrumb.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import './settings.css';

/** What the settings of libraries and of shelves have in common. */
interface PlaceProps {
  readonly of: 'library' | 'shelf';
  readonly name: string;
}

interface PlaceSettingsProps {
  readonly title: string;
  readonly steps: BreadcrumbProps['steps'];
  readonly isPending: boolean;
  /** Null once there is something to show. */
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** The page of settings, under the way to what they are of. */
export function PlaceSettings({ title, steps, isPending, error, onRetry, children }: PlaceSettingsProps) {
  return (
    <div className="page page--prose">
      <header className="settings__top">
        <Breadcrumb steps={steps} />
        <h1 className="page__title serif">{title}</h1>
      </header>
      {isPending ? (
        <div className="card">
          <LoadingRows rows={4} shape="text" />
        </div>
      ) : error !== null ? (
        <div className="card">
          <ErrorState error={error} onRetry={onRetry} />
        </div>
      ) : (
        <div className="sections">{children}</div>
      )}
    </div>
  );
}

interface ArchiveSectionProps extends PlaceProps {
  readonly isArchived: boolean;
  readonly onArchive: (action: 'archive' | 'unarchive') => Promise<unknown>;
}

/** Makes it read-only, or ends that. */
export function ArchiveSection({ of, name, isArchived, onArchive }: ArchiveSectionProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const archive = useMutation({
    mutationFn: onArchive,
    onSuccess: (_done, action) =>
      notify(t(`people.${of}.${action === 'archive' ? 'archived' : 'unarchived'}`, { library: name, shelf: name })),
    onError: (error) => notify(errorText(error), 'error'),
  });
  return (
    <Section title={t('people.archive')} text={t(`people.${of}.archiveText`)}>
      <div>
        <button
          type="button"
          className="button"
          disabled={archive.isPending}
          onClick={() => archive.mutate(isArchived ? 'unarchive' : 'archive')}
        >
          {isArchived ? t('people.unarchive') : t(`people.${of}.archiveVerb`)}
        </button>
      </div>
    </Section>
  );
}

interface DeleteSectionProps extends PlaceProps {
  /** What goes with it. */
  readonly description: string;
  readonly onDelete: () => Promise<void>;
}

/** Deletes it, after its name was typed. */
export function DeleteSection({ of, name, description, onDelete }: DeleteSectionProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={t(`people.${of}.delete`)} text={t(`people.${of}.deleteText`)}>
      <div>
        <button type="button" className="button button--danger" onClick={() => setAsking(true)}>
          {t(`people.${of}.deleteVerb`)}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t(`people.${of}.deleteTitle`, { library: name, shelf: name })}
          description={description}
          verb={t(`people.${of}.deleteVerb`)}
          typed={{ label: t('people.typeName', { name }), text: name }}
          onConfirm={onDelete}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
