import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { useNameCheck } from '../../ui/nameCheck.ts';
import { PlanLimitDialog } from '../../ui/PlanLimitDialog.tsx';
import { planLimitOf } from '../../ui/planLimit.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

export interface CreateDialogProps {
  /** The library that the shelf is for; null makes a library. */
  readonly library: string | null;
  readonly onClose: () => void;
}

/** Makes a library, or a shelf in one, and goes there. */
export function CreateDialog({ library, onClose }: CreateDialogProps) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const formId = useId();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const check = useNameCheck(name, library === null ? 'library' : `shelf:${library}`, (wanted) =>
    library === null
      ? client.call(api.libraries.checkName, { query: { name: wanted } })
      : client.call(api.shelves.checkName, { params: { lib: library }, query: { name: wanted } }),
  );
  const create = useMutation({
    mutationFn: async () => {
      if (library === null) {
        const made = await client.call(api.libraries.create, { body: { name } });
        return paths.library(made.name);
      }
      const made = await client.call(api.shelves.create, { params: { lib: library }, body: { name } });
      return paths.shelf(library, made.id);
    },
    onSuccess: async (address) => {
      await queries.invalidateQueries({ queryKey: queryKeys.libraries });
      onClose();
      navigate(address);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ((check.state === 'good' || check.state === 'checking') && !create.isPending) create.mutate();
  };
  const error = create.error;
  const limit = planLimitOf(error);
  const verb = library === null ? t('library.createLibrary') : t('library.createShelf');

  if (limit !== null) return <PlanLimitDialog limit={limit} onClose={onClose} />;
  return (
    <Dialog
      title={library === null ? t('library.createLibraryTitle') : t('library.createShelfTitle', { library })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={formId} className="button button--primary" disabled={create.isPending}>
            {verb}
          </button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label={t('library.nameLabel')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          autoFocus
          required
          hint={check.state === 'checking' ? check.text : ' '}
          error={check.state === 'bad' ? check.text : tried && name === '' ? t('names.empty') : undefined}
          good={check.state === 'good' && check.text !== '' ? check.text : undefined}
        />
      </form>
      {error !== null && (
        <p className="notice notice--danger" role="alert">
          {errorText(error)}
        </p>
      )}
    </Dialog>
  );
}
