/** What the splash says, in a file that the build reads: it stands before any other message is loaded. */
export const splash = {
  en: {
    label: 'Loading',
    messages: [
      'Dusting the shelves',
      'Sharpening the pencils',
      'Turning on the reading lamps',
      'Counting the books twice',
      'Finding your bookmark',
      'Putting the kettle on',
      'Sorting the card index',
    ],
  },
  de: {
    label: 'Wird geladen',
    messages: [
      'Die Regale werden abgestaubt',
      'Die Bleistifte werden gespitzt',
      'Die Leselampen gehen an',
      'Die Bücher werden zweimal gezählt',
      'Ihr Lesezeichen wird gesucht',
      'Das Teewasser ist aufgesetzt',
      'Die Kartei wird sortiert',
    ],
  },
} as const;
