import { History, Server, TextSearch } from 'lucide-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { useSignIn } from './useSignIn.ts';
import './home.css';

const EXAMPLE = ['Charter 1884.pdf', 'Catalogue.xlsx', 'Reading room rules.docx', 'Notes.md'] as const;

/** What the product is, for guests. */
export function HomePage() {
  const { t } = useTranslation();
  const { start, isStarting } = useSignIn();
  useTitle(undefined);
  const points = [
    { icon: TextSearch, title: t('home.findTitle'), text: t('home.findText') },
    { icon: History, title: t('home.historyTitle'), text: t('home.historyText') },
    { icon: Server, title: t('home.ownTitle'), text: t('home.ownText') },
  ];
  return (
    <div className="home">
      <section className="home__hero">
        <div className="home__words">
          <h1 className="home__title serif">{t('home.title')}</h1>
          <p className="home__lead">{t('home.lead')}</p>
          <button type="button" className="button button--primary button--large" onClick={start} disabled={isStarting}>
            {t('home.start')}
          </button>
        </div>
        <figure className="home__example card" aria-label={t('home.exampleLabel')}>
          <ul>
            {EXAMPLE.map((name, index) => (
              <li key={name} className="home__file">
                <FileIcon name={name} />
                <span className="truncated">{name}</span>
                <span className="badge">{t('common.version', { number: 7 - index * 2 })}</span>
              </li>
            ))}
          </ul>
        </figure>
      </section>
      <ul className="home__points">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className="home__point">
            <span className="home__point-icon" aria-hidden="true">
              <Icon />
            </span>
            <h2 className="home__point-title">{title}</h2>
            <p className="muted">{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
