import { Link } from 'wouter';
import brand from '../../../../resources/brand.json';
import { useConsent } from '../../app/consent.ts';
import { paths, type StaticPage } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

/** The pages that stand under `/m`, in the order of the web's footer. */
const PAGES = [
  'terms',
  'privacy',
  'security',
  'open-source',
  'refund',
  'cookie',
  'contact',
  'company',
] as const satisfies readonly StaticPage[];

/** The legal links below every screen. */
export function PhoneFooter() {
  const { t } = useTranslation();
  const reopen = useConsent((state) => state.reopen);
  return (
    <footer className="phone-foot">
      <nav className="phone-foot__pages" aria-label={t('footer.about')}>
        {PAGES.map((page) => (
          <Link key={page} href={paths.page(page)} className="phone-foot__link">
            {t(`footer.names.${page}`)}
          </Link>
        ))}
        <button type="button" className="phone-foot__link" onClick={reopen}>
          {t('cookies.settings')}
        </button>
      </nav>
      <span>{t('footer.copyright', { year: String(new Date().getFullYear()), company: brand.company })}</span>
    </footer>
  );
}
