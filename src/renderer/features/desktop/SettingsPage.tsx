import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServices, useSession } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { LANGUAGES, type Language, setLanguage } from '../../i18n/index.ts';
import type { IndexCapability, ServerCapability, ShellSession } from '../../platform/types.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Theme, useTheme } from '../../ui/theme.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { LocalFolders, useWorkspace, WorkspaceFolder } from './Folders.tsx';
import { IndexState } from './IndexCard.tsx';
import './desktop.css';

const THEMES = ['light', 'dark', 'system'] as const satisfies readonly Theme[];

interface SectionProps {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}

function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className="settings__section card" aria-labelledby={id}>
      <header className="settings__head">
        <h2 id={id} className="settings__title">
          {title}
        </h2>
        {text !== undefined && <p className="muted">{text}</p>}
      </header>
      {children}
    </section>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div className="settings__row" role="radiogroup" aria-label={label}>
      <span>{label}</span>
      <span className="segments">
        {options.map((option) => (
          <label key={option.value} className="segment">
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </span>
    </div>
  );
}

function Appearance() {
  const { t, i18n } = useTranslation();
  const { theme, setTheme } = useTheme();
  const language: Language = i18n.language === 'de' ? 'de' : 'en';
  return (
    <Section title={t('settings.appearance')}>
      <Segments
        label={t('settings.theme')}
        value={theme}
        options={THEMES.map((value) => ({ value, label: t(`settings.${value}`) }))}
        onChange={setTheme}
      />
      <Segments
        label={t('settings.language')}
        value={language}
        options={(Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, label: LANGUAGES[value] }))}
        onChange={(value) => void setLanguage(value)}
      />
    </Section>
  );
}

function Account() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const signOut = useSession((state) => state.signOut);
  if (user === null) return null;
  return (
    <Section title={t('settings.account')}>
      <div className="settings__row">
        <span className="folder">
          <Avatar name={user.name || user.username} username={user.username} large />
          <span>
            <strong>{user.name}</strong>
            <br />
            <span className="muted">{user.email}</span>
          </span>
        </span>
        <button type="button" className="button" onClick={() => void signOut()}>
          {t('settings.signOut')}
        </button>
      </div>
    </Section>
  );
}

function ServerSection({ server }: { readonly server: ServerCapability }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value: state } = useShellState(server);
  const signOut = useSession((session) => session.signOut);
  if (state === null) return null;
  const texts = {
    none: t('settings.serverNone'),
    local: t('settings.serverLocal'),
    remote: t('settings.serverRemote', { url: state.url ?? '' }),
  };
  const leave = async () => {
    await signOut();
    await server.disconnect();
  };
  return (
    <Section title={t('settings.server')}>
      <div className="settings__row">
        <span>
          <strong>{texts[state.mode]}</strong>
          <br />
          <span className="muted">{t('settings.disconnectText')}</span>
        </span>
        <button
          type="button"
          className="button"
          onClick={() => void leave().catch((error: unknown) => notify(errorText(error), 'error'))}
        >
          {t('settings.disconnect')}
        </button>
      </div>
    </Section>
  );
}

function IndexSection({ index }: { readonly index: IndexCapability }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isAsking, setAsking] = useState(false);
  const rebuild = () => {
    setAsking(false);
    index.rebuild().catch((error: unknown) => notify(errorText(error), 'error'));
  };
  return (
    <Section title={t('settings.index')}>
      <IndexState />
      <div>
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {t('settings.rebuild')}
        </button>
      </div>
      {isAsking && (
        <Dialog
          title={t('settings.rebuildTitle')}
          description={t('settings.rebuildText')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <button type="button" className="button" onClick={() => setAsking(false)}>
                {t('common.cancel')}
              </button>
              <button type="button" className="button button--primary" onClick={rebuild}>
                {t('settings.rebuild')}
              </button>
            </>
          }
        />
      )}
    </Section>
  );
}

function TokenSection({ shell }: { readonly shell: ShellSession }) {
  const { t } = useTranslation();
  const { value: state } = useShellState(shell);
  if (state === null) return null;
  const texts = {
    keyring: t('settings.tokensKeyring'),
    'safe-storage': t('settings.tokensSafeStorage'),
    memory: t('settings.tokensMemory'),
  };
  return (
    <Section title={t('settings.tokens')}>
      <p className={state.storage === 'memory' ? 'notice notice--warning' : undefined}>{texts[state.storage]}</p>
    </Section>
  );
}

/** Settings, in a browser and in the shell: a section for each thing that the host has. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { platform } = useServices();
  const workspace = useWorkspace();
  const { server, index } = platform;
  const { shell } = platform.session;
  useTitle(t('settings.title'));
  return (
    <div className="page page--prose">
      <h1 className="page__title serif">{t('settings.title')}</h1>
      <div className="settings">
        <Appearance />
        {server !== null && <ServerSection server={server} />}
        {workspace !== null && (
          <>
            <Section title={t('settings.workspace')} text={t('settings.workspaceText')}>
              <WorkspaceFolder workspace={workspace} />
            </Section>
            <Section title={t('settings.localFolders')} text={t('settings.localFoldersText')}>
              <LocalFolders workspace={workspace} />
            </Section>
          </>
        )}
        {index !== null && <IndexSection index={index} />}
        {shell !== null && <TokenSection shell={shell} />}
        <Account />
      </div>
    </div>
  );
}
