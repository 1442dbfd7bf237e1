import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Settings, SettingsChange } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Section.tsx';
import { PROVIDER_IDS, type ProviderChange, ProviderDialog } from './ProviderDialog.tsx';
import { useSaveSettings } from './useSaveSettings.ts';

type Provider = Settings['providers'][number];

/** What the server takes of a provider; its secret stays, since none is written. */
function unchanged({ has_secret: _, ...provider }: Provider): NonNullable<SettingsChange['providers']>[number] {
  return provider;
}

/** Other providers that people may sign in with. */
export function ProvidersSection({ settings: { providers } }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Provider | 'new' | null>(null);
  const [doomed, setDoomed] = useState<Provider | null>(null);
  const { save } = useSaveSettings();
  const free = PROVIDER_IDS.filter((id) => providers.every((provider) => provider.id !== id));
  const store = async (changed: ProviderChange) => {
    const others = providers.filter(({ id }) => id !== changed.id).map(unchanged);
    await save({ providers: [...others, changed] });
  };
  const remove = (id: Provider['id']) =>
    save({ providers: providers.filter((provider) => provider.id !== id).map(unchanged) });
  return (
    <Section title={t('admin.settings.providers')} text={t('admin.settings.providersText')}>
      {providers.length > 0 && (
        <ul className="rows">
          {providers.map((provider) => (
            <li key={provider.id}>
              <span className="rows__main">
                <span className="rows__title">
                  {provider.label}
                  <span className={provider.has_secret ? 'badge badge--accent' : 'badge badge--warning'}>
                    <KeyRound aria-hidden="true" />
                    {provider.has_secret ? t('admin.settings.set') : t('admin.settings.notSet')}
                  </span>
                </span>
                <span className="muted">{provider.issuer}</span>
              </span>
              <span>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('admin.editOf', { name: provider.label })}
                  onClick={() => setEdited(provider)}
                >
                  <Pencil />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('admin.removeOf', { name: provider.label })}
                  onClick={() => setDoomed(provider)}
                >
                  <Trash2 />
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <div>
          <button type="button" className="button" onClick={() => setEdited('new')}>
            <Plus />
            {t('admin.settings.addProvider')}
          </button>
        </div>
      )}
      {edited !== null && (
        <ProviderDialog
          provider={edited === 'new' ? null : edited}
          free={free}
          onSave={store}
          onClose={() => setEdited(null)}
        />
      )}
      {doomed !== null && (
        <ConfirmDialog
          title={t('admin.settings.removeProvider', { name: doomed.label })}
          description={t('admin.settings.removeProviderText')}
          verb={t('admin.remove')}
          onConfirm={() => remove(doomed.id)}
          onClose={() => setDoomed(null)}
        />
      )}
    </Section>
  );
}
