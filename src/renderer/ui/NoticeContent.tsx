import DOMPurify from 'dompurify';
import { useMemo } from 'react';
import type { ServiceNotice } from '../../shared/model/notice.ts';
import frameSheet from './noticeFrame.css?url';
import { useTheme } from './theme.ts';
import './noticeContent.css';

/** What a notice may be made of; the server rebuilds it from the same before it is kept. */
const ALLOWED = {
  ALLOWED_TAGS:
    'p br b strong i em u s ul ol li h2 h3 h4 blockquote code pre hr span a table thead tbody tr th td'.split(' '),
  ALLOWED_ATTR: ['href', 'target', 'rel'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/iu,
};

/** About so many characters fill the lower of the frame's heights. */
const LONG_HTML = 400;

interface FrameProps {
  readonly title: string;
  readonly html: string;
}

/**
 * HTML of a notice, sanitised once more and in a frame with an origin of its own that runs no scripts and sends no forms.
 * The page cannot measure what is in it, so it is one of two heights, by how much there is, and scrolls.
 */
function Frame({ title, html }: FrameProps) {
  const theme = useTheme((state) => state.theme);
  const page = useMemo(() => {
    const body = DOMPurify.sanitize(html, ALLOWED);
    const choice = theme === 'system' ? '' : ` data-theme="${theme}"`;
    return `<!doctype html><html${choice}><head><link rel="stylesheet" href="${frameSheet}"></head><body>${body}</body></html>`;
  }, [html, theme]);
  return (
    <iframe
      className="notice-frame"
      data-long={html.length > LONG_HTML}
      title={title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={page}
    />
  );
}

export interface NoticeContentProps {
  readonly title: string;
  readonly content: string;
  readonly contentType: ServiceNotice['content_type'];
}

/** What a service notice says: as its readers see it, and as its writer does before. */
export function NoticeContent({ title, content, contentType }: NoticeContentProps) {
  return contentType === 'html' ? <Frame title={title} html={content} /> : <p className="notice-text">{content}</p>;
}
