import { useTranslation } from '../../i18n/useTranslation.ts';

/** The name of a match's type in the interface's language; what is not known stays as it came. */
export function useMatchType(): (type: string) => string {
  const { t } = useTranslation();
  return (type) => {
    if (type === 'Content' || type === '') return t('search.typeContent');
    if (type === 'Filename') return t('search.typeFilename');
    if (type === 'Message') return t('search.typeMessage');
    if (type === 'Label') return t('search.typeLabel');
    if (type === 'Comment') return t('search.typeComment');
    const [kind, ...rest] = type.split(' ');
    const name = rest.join(' ');
    if (kind === 'Page') return t('search.typePage', { name });
    if (kind === 'Sheet') return t('search.typeSheet', { name });
    if (kind === 'Slide') return t('search.typeSlide', { name });
    return type;
  };
}
