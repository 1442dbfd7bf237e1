/** Where other applications of a phone send what is shared with this one, and where a shelf is chosen for it. */
export const RECEIVE_PATH = '/receive';

/** The same, when what was shared could not be kept. */
export const RECEIVE_FAILED = `${RECEIVE_PATH}?failed`;

/** The field of such a form that holds the files; the application's manifest names it. */
export const RECEIVE_FIELD = 'files';
