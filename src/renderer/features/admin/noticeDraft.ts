import type { ManagedNotice, NoticeDraft } from '../../../shared/model/notice.ts';

const DAY_MS = 24 * 3600_000;
const SHOWN_DAYS = 7;

/** A notice as its form has it: moments in local time, as the fields for them speak. */
export interface NoticeForm extends Omit<NoticeDraft, 'start_date' | 'end_date'> {
  readonly start: string;
  readonly end: string;
}

/** A moment as `datetime-local` fields have it: in local time, to the minute. */
function localOf(moment: number): string {
  const date = new Date(moment);
  return new Date(moment - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The form of a notice, or of a new one that shows from now on for a week. */
export function noticeFormOf(notice: ManagedNotice | null, now: number): NoticeForm {
  if (notice === null) {
    const [start, end] = [localOf(now), localOf(now + SHOWN_DAYS * DAY_MS)];
    return { title: '', content: '', content_type: 'text', active: true, start, end };
  }
  const { title, content, content_type, active, start_date, end_date } = notice;
  return {
    title,
    content,
    content_type,
    active,
    start: localOf(Date.parse(start_date)),
    end: localOf(Date.parse(end_date)),
  };
}

/** What keeps a notice from being written, or null. */
export function noticeProblem({ content, start, end }: NoticeForm): 'content' | 'start' | 'end' | null {
  if (content.trim() === '') return 'content';
  if (Number.isNaN(Date.parse(start))) return 'start';
  return Date.parse(end) > Date.parse(start) ? null : 'end';
}

/** The form as the server takes it. */
export function noticeDraftOf({ start, end, ...rest }: NoticeForm): NoticeDraft {
  return { ...rest, start_date: new Date(start).toISOString(), end_date: new Date(end).toISOString() };
}
