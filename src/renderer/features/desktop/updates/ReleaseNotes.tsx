import { useQuery } from '@tanstack/react-query';
import { api } from '../../../../shared/api/index.ts';
import { useServices } from '../../../app/services.ts';
import { NoticeContent } from '../../../ui/NoticeContent.tsx';

export interface ReleaseNotesProps {
  readonly version: string;
  readonly title: string;
}

/**
 * What is new in a version, as its server tells it. Markdown becomes HTML, and HTML is sanitised and set apart as a notice is;
 * where there are none, nothing shows (desktop-shell.md §7).
 */
export function ReleaseNotes({ version, title }: ReleaseNotesProps) {
  const { client } = useServices();
  const { data } = useQuery({
    queryKey: ['release-notes', version],
    queryFn: async () => {
      const notes = await client.call(api.appVersions.releaseNotes, { params: { version }, query: {} });
      if (notes.release_note_type !== 'markdown')
        return { content: notes.release_notes, type: notes.release_note_type };
      const { default: MarkdownIt } = await import('markdown-it');
      return {
        content: new MarkdownIt({ html: false, linkify: true }).render(notes.release_notes),
        type: 'html' as const,
      };
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data.content.trim() === '') return null;
  return <NoticeContent title={title} content={data.content} contentType={data.type} />;
}
