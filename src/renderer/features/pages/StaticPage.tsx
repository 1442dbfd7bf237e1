import { Fragment, use } from 'react';
import { Link } from 'wouter';
import { paths, STATIC_PAGES, type StaticPage as StaticPageName } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { Downloads } from './Downloads.tsx';
import { PackageList } from './PackageList.tsx';
import type { Block } from './texts/shape.ts';
import { pageTexts } from './texts/texts.ts';
import './pages.css';

const ADDRESS = /(https?:\/\/[^\s,]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/u;

/** Text in which web and mail addresses are links. */
function Linked({ text }: { readonly text: string }) {
  return text.split(ADDRESS).map((part, index) => {
    if (index % 2 === 0) return part;
    return (
      <a key={part} className="text-link" href={part.includes('@') ? `mailto:${part}` : part}>
        {part}
      </a>
    );
  });
}

function TextBlock({ block }: { readonly block: Block }) {
  if (typeof block === 'string') {
    return (
      <p>
        <Linked text={block} />
      </p>
    );
  }
  return (
    <ul>
      {block.map((item) => (
        <li key={item}>
          <Linked text={item} />
        </li>
      ))}
    </ul>
  );
}

/** One of the pages of plain text, with what only it has below. */
export function StaticPage({ page }: { readonly page: StaticPageName }) {
  const { t, i18n } = useTranslation();
  const texts = use(pageTexts(i18n.language === 'de' ? 'de' : 'en'));
  const { title, lead, sections } = texts[page];
  useTitle(title);
  return (
    <div className="static">
      <nav className="static__pages" aria-label={t('pages.pages')}>
        <ul>
          {STATIC_PAGES.map((each) => (
            <li key={each}>
              <Link href={paths.page(each)} className="static__link" aria-current={each === page ? 'page' : undefined}>
                {t(`footer.names.${each}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className="static__text">
        <h1 className="static__title serif">{title}</h1>
        <p className="static__lead">{lead}</p>
        {sections.map((section) => (
          <Fragment key={section.title}>
            <h2>{section.title}</h2>
            {section.body.map((block) => (
              <TextBlock key={String(block)} block={block} />
            ))}
          </Fragment>
        ))}
        {page === 'download' && <Downloads />}
        {page === 'open-source' && <PackageList />}
      </article>
    </div>
  );
}
