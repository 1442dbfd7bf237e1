import brand from '../../../../../resources/brand.json';
import type { PageTexts } from './shape.ts';

const { name, company, website, contact } = brand;

export const en: PageTexts = {
  terms: {
    title: 'Terms of use',
    lead: `These terms are between you and whoever runs the ${name} server that you use, called the operator here. That may be your employer, a club, a hosting provider or you yourself.`,
    sections: [
      {
        title: 'What this is',
        body: [
          `${name} keeps documents in libraries and shelves, with every version, and finds text in all of them. The program is free software under the Apache License 2.0. That licence covers the program; these terms cover the use of this server.`,
        ],
      },
      {
        title: 'Your account',
        body: [
          [
            'Give an email address that is yours. Invitations can be accepted only once it is verified.',
            'Keep your password to yourself. What is done under your account counts as done by you until you tell the operator otherwise.',
            'An account that has not verified its address may keep less than others do.',
            'The operator may disable an account that breaks these terms. Its documents are not deleted by that.',
          ],
        ],
      },
      {
        title: 'Your documents',
        body: [
          'What you upload stays yours. You give the operator only the right that is needed to store it, to make it searchable for you and those you share it with, and to back it up.',
          'Upload and share only what you may. The owner of a shelf decides who its members are and what they may do. Whoever has a share link can open what it leads to, within the limits that were set for it.',
          'Versions are kept until the document is purged from the trash or until they reach the age that the operator has set. Versions with a name, and those that a share link points at, are always kept.',
        ],
      },
      {
        title: 'What is not allowed',
        body: [
          [
            'Content or use that is against the law, or that hurts the rights of others.',
            'Malware, or documents that are meant to harm those who open them.',
            'Getting around rights, limits or passwords; tests of the security of a server that is not yours without its operator’s consent.',
            'Loading the server so that others can no longer work.',
          ],
        ],
      },
      {
        title: 'Plans and limits',
        body: [
          'A plan says how many libraries, shelves and documents you may own. The operator sets these numbers and your plan. Reaching one never costs you what is already stored: you only cannot add more until there is room.',
        ],
      },
      {
        title: 'No warranty',
        body: [
          'The program is provided as it is, without warranty of any kind, as sections 7 and 8 of the Apache License 2.0 say. What the operator answers for beyond that follows from the law and from what you have agreed with the operator.',
          'Keep copies of what you cannot do without. The owner of a library can download it at any time, as plain files.',
        ],
      },
      {
        title: 'Ending it, and changes',
        body: [
          'You can delete your account in the settings at any time. The libraries that you own are deleted with it, for good; hand over before what others still need.',
          'The operator may change these terms and tells you so before the change counts, by a notice in the application or by mail.',
        ],
      },
    ],
  },
  privacy: {
    title: 'Privacy',
    lead: `Which data ${name} keeps about you, why, where and for how long. The operator of the server that you use is responsible for it and can see it.`,
    sections: [
      {
        title: 'What is kept while you have an account',
        body: [
          [
            'Your email address, user name, name, plan and settings. Your password as an Argon2id hash, never itself.',
            'If you sign in with another provider: that provider’s identifier for you and the address that it told us.',
            'Your documents with all versions, commit messages, comments and names of versions, and when and by whom they were made.',
            'Memberships and invitations; notifications, for three months.',
            'Your sign-ins that are still good: since when, and whether in a browser or the desktop application. Tokens as hashes only.',
            'An audit log of changes to accounts, members, shelves and share links: who, what, when, and from which network address. It has no fixed end; the operator keeps it as long as needed.',
          ],
          'This is needed to provide what you signed up for, and the audit log to keep accounts and documents safe.',
        ],
      },
      {
        title: 'When you open a share link',
        body: [
          'No account is needed. Those who manage the link see when it was opened or downloaded from, which document, the kind of device and the site that led there.',
          'Your network address is not stored. It is turned into a hash with a secret that changes every day, so that visitors of one day can be counted; on another day you are somebody else. If the link asks for your email address, that address is shown to those who manage it.',
        ],
      },
      {
        title: 'Logs and counting',
        body: [
          'The server’s log has the kind of each request, how it ended and how long it took: no network addresses, no names of documents, no tokens. It is kept in five files of 5 MB, the oldest of which goes first.',
          'Attempts to sign in are counted by account and network address, for a day at most, so that nobody can guess passwords without end.',
          'The server counts searches and uploads by day, about nobody in particular. Which kinds of screens are opened is counted only if you allowed it.',
          'If you allowed it and the operator uses these services, PostHog hears the same kinds of screens, and Sentry hears of errors, of how quick pages are, and of a sample of sessions in which texts, fields, pictures and documents are covered. Addresses reach them without what was searched for. Nothing of them is loaded before.',
        ],
      },
      {
        title: 'Where it is, and who gets it',
        body: [
          'On the operator’s server: in its database and its store for contents, and in the backups that the operator makes. These may stand at a hosting provider that the operator has chosen.',
          'Mails go through the operator’s mail server. The services named above hear what is said there, if you allowed it. Nothing is sold, and nothing is sent to advertising networks.',
          'With the desktop application used on this computer alone, all of it stays on this computer.',
        ],
      },
      {
        title: 'What goes when',
        body: [
          [
            'Documents in the trash: after 30 days, unless the operator set another time.',
            'Contents that nothing refers to any more: within about two hours.',
            'Copies on devices, which let documents be read without a network: when you sign out there, when the server is asked and refuses them, and 30 days after they were opened last.',
            'Your account: at once when you delete it, with the libraries that you own. Commits and comments on shelves of others stay there without your account; the audit log keeps that the account was deleted.',
            'Backups: when the operator deletes them.',
          ],
        ],
      },
      {
        title: 'Your rights',
        body: [
          'You may ask the operator what is kept about you, have it corrected or deleted, receive it in a form that machines read, and object to its use. Much of that needs nobody: the settings change and delete your account, and a library downloads as plain files. You may complain to a data protection authority.',
          `Questions about privacy: ${contact.privacy}. If your organisation runs the server, ask its administrator first.`,
        ],
      },
    ],
  },
  security: {
    title: 'Security',
    lead: `What ${name} does to keep documents with those they belong to, what it does not do, and how to report a hole.`,
    sections: [
      {
        title: 'Signing in',
        body: [
          [
            'Passwords are kept as Argon2id hashes. Attempts are limited by account and by network, and a device that you used before is counted apart, so that strangers cannot lock you out.',
            'A second step with one-time codes can be switched on in the settings.',
            'A sign-in uses the authorisation code flow with PKCE. Codes are good for one use and 60 seconds; access lasts 15 minutes and is renewed by a token that changes at each use. A used token that comes back ends the whole sign-in.',
            'Browsers hold tokens in cookies that scripts cannot read. The desktop application holds them in the system’s keychain, and its page never sees them.',
          ],
        ],
      },
      {
        title: 'Documents',
        body: [
          [
            'Every call is checked on the server against your role on the shelf. What you may not see looks as if it did not exist.',
            'Each content has a SHA-256 that is verified when it arrives; each commit is named by a hash of what it says. Changed contents are noticed.',
            'Share links have 256 random bits and can have a password, an end, a number of views and a list of addresses. Attempts at passwords are limited.',
            'Text is taken out of documents apart from everything else, with limits of time and memory. Documents of others are shown so that they cannot run scripts as part of the application.',
          ],
        ],
      },
      {
        title: 'Transport and pages',
        body: [
          'Servers that others reach are meant to run behind HTTPS. Pages have a content policy that lets nothing run that is not part of the application, and requests that change something are refused when they come from another site.',
        ],
      },
      {
        title: 'What it does not do',
        body: [
          'Documents are not encrypted from end to end: to search in them the server has to read them, and so can its operator. Encryption of disks and backups is the operator’s to switch on.',
        ],
      },
      {
        title: 'Reporting a hole',
        body: [
          `Write to ${contact.security} with what you found and how to see it happen. Leave other people’s data alone and give time for a correction before you publish. Reports are answered, and finders are named in the release notes if they like.`,
        ],
      },
    ],
  },
  refund: {
    title: 'Refunds',
    lead: `${name} takes no payments, so there is nothing in it to refund.`,
    sections: [
      {
        title: 'Plans cost nothing here',
        body: [
          'Plans say how much somebody may keep on a server. The operator gives them out; they are not bought in the application, and it asks for no card and keeps no payment data.',
        ],
      },
      {
        title: 'If you pay the operator',
        body: [
          'An operator may charge for running a server, outside of this application. Then what you agreed with the operator counts, with your legal right of withdrawal where there is one. Ask where you got the invoice.',
        ],
      },
    ],
  },
  cookie: {
    title: 'Cookies',
    lead: 'All cookies here are the server’s own. None follows you to other sites, and none is for advertising.',
    sections: [
      {
        title: 'Needed to sign in',
        body: [
          [
            'armarium_access: that you are signed in; 15 minutes.',
            'armarium_refresh: renews it; 30 days, or until you sign out.',
            'armarium_device: that you signed in on this device before, so that others’ attempts do not keep you out; one year.',
            'armarium_social: only while you sign in with another provider; 10 minutes.',
          ],
        ],
      },
      {
        title: 'Needed to keep what you asked for',
        body: [['armarium_desktop_site: that this phone asked for the desktop site; one year.']],
      },
      {
        title: 'Needed to open a share link',
        body: [
          [
            'armarium_share_session_…: that this browser has opened a link, and proved its password or address; 12 hours.',
            'armarium_share_code_…: while a code is under way by mail; 10 minutes.',
          ],
        ],
      },
      {
        title: 'Kept in this browser, not sent',
        body: [
          'Your choice about cookies, light or dark, the language, the library that you were in last, notices that you closed, recent searches, and uploads and comments that you have not finished. While you are signed in, also the lists that you saw last and this application itself, so that both are there without a network. On phones and where the application is installed, also copies of the documents that you opened last; the settings under “Offline” show them, empty them and turn that off or on. Signing out removes all of it. Clearing this site’s data in the browser removes them.',
        ],
      },
      {
        title: 'Only if you allow it',
        body: [
          'Counting which kinds of screens are opened, and reports of errors: on this server and, where the operator uses them, with PostHog and Sentry, which keep a random number in this browser. You are asked once; “Cookie settings” at the foot of each page asks again, and what you allowed before stops at once.',
        ],
      },
    ],
  },
  contact: {
    title: 'Contact',
    lead: 'Whom to write to, and with what.',
    sections: [
      {
        title: 'Your account, your documents, this server',
        body: [
          'Ask whoever runs the server: in an organisation its administrator, else whoever invited you. Nobody else can look into your account.',
        ],
      },
      {
        title: `Questions about ${name}`,
        body: [`Help: ${contact.support}`, `Anything else: ${contact.general}`],
      },
      {
        title: 'Security and privacy',
        body: [`Holes in the security: ${contact.security}`, `Privacy: ${contact.privacy}`],
      },
    ],
  },
  company: {
    title: `Who makes ${name}`,
    lead: `${name} is made by the ${company} and named after the cabinet with shelves in which a monastery kept its books.`,
    sections: [
      {
        title: 'What we want',
        body: [
          'A quiet place for documents in which nothing is lost: every version is kept, every text is found, and all of it can be taken along at any time. It runs on a computer of your own, on a server of your own, or with somebody whom you trust.',
        ],
      },
      {
        title: 'How it is made',
        body: [
          'In the open, as free software under the Apache License 2.0. Anybody may use, read, change and pass it on.',
          `Website: ${website}`,
          `Mail: ${contact.general}`,
        ],
      },
    ],
  },
  download: {
    title: 'Desktop app',
    lead: `The desktop app searches the files on your computer together with your shelves, also without a connection.`,
    sections: [],
  },
  'open-source': {
    title: 'Open source notices',
    lead: `${name} is free software under the Apache License 2.0. It ships with these packages, each under the licence of its makers.`,
    sections: [],
  },
};
