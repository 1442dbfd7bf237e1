import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LibraryBig } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';
import { useNameCheck } from '../../ui/nameCheck.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import './libraries.css';

/** Asks for a library whom none is left: the start leads to one's library. */
export function FirstLibrary() {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { check, rememberLibrary } = useSession((state) => state);
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  useTitle(t('people.firstLibrary.title'));
  const nameCheck = useNameCheck(name, 'library', (wanted) =>
    client.call(api.libraries.checkName, { query: { name: wanted } }),
  );
  const create = useMutation({
    mutationFn: () => client.call(api.libraries.create, { body: { name } }),
    onSuccess: async (library) => {
      rememberLibrary(library.name);
      await queries.invalidateQueries({ queryKey: queryKeys.libraries });
      await check();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ((nameCheck.state === 'good' || nameCheck.state === 'checking') && !create.isPending) create.mutate();
  };
  return (
    <form className="first-library card" onSubmit={submit} noValidate aria-labelledby="first-library-title">
      <span className="tile__icon" aria-hidden="true">
        <LibraryBig />
      </span>
      <h1 id="first-library-title" className="page__title serif">
        {t('people.firstLibrary.title')}
      </h1>
      <p className="muted">{t('people.firstLibrary.text')}</p>
      <Field
        label={t('library.nameLabel')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        autoFocus
        required
        hint={nameCheck.state === 'checking' ? nameCheck.text : ' '}
        error={nameCheck.state === 'bad' ? nameCheck.text : tried && name === '' ? t('names.empty') : undefined}
        good={nameCheck.state === 'good' && nameCheck.text !== '' ? nameCheck.text : undefined}
      />
      {create.isError && (
        <p className="notice notice--danger" role="alert">
          {errorText(create.error)}
        </p>
      )}
      <div>
        <button type="submit" className="button button--primary" disabled={create.isPending}>
          {t('library.createLibrary')}
        </button>
      </div>
    </form>
  );
}
