import brand from '../../../../../resources/brand.json';
import type { PageTexts } from './shape.ts';

const { name, company, website, contact } = brand;

export const de: PageTexts = {
  terms: {
    title: 'Nutzungsbedingungen',
    lead: `Diese Bedingungen gelten zwischen Ihnen und denen, die den ${name}-Server betreiben, den Sie nutzen; sie heißen hier Betreiber. Das kann Ihr Arbeitgeber sein, ein Verein, ein Hosting-Anbieter oder Sie selbst.`,
    sections: [
      {
        title: 'Worum es geht',
        body: [
          `${name} bewahrt Dokumente in Bibliotheken und Regalen auf, mit jeder Version, und findet Text in allen. Das Programm ist freie Software unter der Apache-Lizenz 2.0. Jene Lizenz gilt für das Programm; diese Bedingungen gelten für die Nutzung dieses Servers.`,
        ],
      },
      {
        title: 'Ihr Konto',
        body: [
          [
            'Geben Sie eine E-Mail-Adresse an, die Ihnen gehört. Einladungen lassen sich erst annehmen, wenn sie bestätigt ist.',
            'Behalten Sie Ihr Passwort für sich. Was unter Ihrem Konto geschieht, gilt als von Ihnen getan, bis Sie dem Betreiber etwas anderes sagen.',
            'Ein Konto ohne bestätigte Adresse darf womöglich weniger aufbewahren als andere.',
            'Der Betreiber darf ein Konto sperren, das gegen diese Bedingungen verstößt. Seine Dokumente werden dadurch nicht gelöscht.',
          ],
        ],
      },
      {
        title: 'Ihre Dokumente',
        body: [
          'Was Sie hochladen, bleibt Ihr Eigentum. Sie geben dem Betreiber nur das Recht, das nötig ist, um es zu speichern, für Sie und die, mit denen Sie es teilen, durchsuchbar zu machen und zu sichern.',
          'Laden Sie nur hoch und teilen Sie nur, was Sie dürfen. Wem ein Regal gehört, der bestimmt, wer Mitglied ist und was Mitglieder dürfen. Wer einen Freigabelink hat, kann öffnen, wohin er führt, in den Grenzen, die für ihn gesetzt sind.',
          'Versionen bleiben, bis das Dokument endgültig aus dem Papierkorb gelöscht wird oder bis sie das Alter erreichen, das der Betreiber festgelegt hat. Versionen mit einem Namen und solche, auf die ein Freigabelink zeigt, bleiben immer.',
        ],
      },
      {
        title: 'Was nicht erlaubt ist',
        body: [
          [
            'Inhalte oder Nutzungen, die gegen Gesetze verstoßen oder Rechte anderer verletzen.',
            'Schadsoftware, oder Dokumente, die denen schaden sollen, die sie öffnen.',
            'Rechte, Grenzen oder Passwörter zu umgehen; die Sicherheit eines fremden Servers ohne Zustimmung des Betreibers zu prüfen.',
            'Den Server so zu belasten, dass andere nicht mehr arbeiten können.',
          ],
        ],
      },
      {
        title: 'Tarife und Grenzen',
        body: [
          'Ein Tarif sagt, wie viele Bibliotheken, Regale und Dokumente Sie besitzen dürfen. Der Betreiber legt diese Zahlen und Ihren Tarif fest. Eine Grenze zu erreichen kostet nie, was schon gespeichert ist: Es kommt nur nichts hinzu, bis wieder Platz ist.',
        ],
      },
      {
        title: 'Keine Gewährleistung',
        body: [
          'Das Programm wird so bereitgestellt, wie es ist, ohne jede Gewährleistung, wie es die Abschnitte 7 und 8 der Apache-Lizenz 2.0 sagen. Wofür der Betreiber darüber hinaus einsteht, folgt aus dem Gesetz und aus dem, was Sie mit ihm vereinbart haben.',
          'Bewahren Sie Kopien von dem auf, worauf Sie nicht verzichten können. Wem eine Bibliothek gehört, der kann sie jederzeit als einfache Dateien herunterladen.',
        ],
      },
      {
        title: 'Ende und Änderungen',
        body: [
          'Sie können Ihr Konto jederzeit in den Einstellungen löschen. Die Bibliotheken, die Ihnen gehören, werden damit endgültig gelöscht; übergeben Sie vorher, was andere noch brauchen.',
          'Der Betreiber darf diese Bedingungen ändern und sagt es Ihnen, bevor die Änderung gilt, durch einen Hinweis in der Anwendung oder per Mail.',
        ],
      },
    ],
  },
  privacy: {
    title: 'Datenschutz',
    lead: `Welche Daten ${name} über Sie aufbewahrt, warum, wo und wie lange. Verantwortlich ist, wer den Server betreibt, den Sie nutzen; der Betreiber kann sie sehen.`,
    sections: [
      {
        title: 'Was aufbewahrt wird, solange Sie ein Konto haben',
        body: [
          [
            'Ihre E-Mail-Adresse, Ihr Benutzername, Name, Tarif und Ihre Einstellungen. Ihr Passwort als Argon2id-Hash, nie selbst.',
            'Wenn Sie sich über einen anderen Anbieter anmelden: dessen Kennung für Sie und die Adresse, die er uns genannt hat.',
            'Ihre Dokumente mit allen Versionen, Commit-Nachrichten, Kommentaren und Namen von Versionen, und wann und von wem sie stammen.',
            'Mitgliedschaften und Einladungen; Benachrichtigungen für drei Monate.',
            'Ihre Anmeldungen, die noch gelten: seit wann, und ob im Browser oder in der Desktop-App. Tokens nur als Hashes.',
            'Ein Protokoll der Änderungen an Konten, Mitgliedern, Regalen und Freigabelinks: wer, was, wann und von welcher Netzwerkadresse. Es hat kein festes Ende; der Betreiber behält es, solange es nötig ist.',
          ],
          'Das ist nötig, um zu leisten, wofür Sie sich angemeldet haben; das Protokoll, um Konten und Dokumente zu schützen.',
        ],
      },
      {
        title: 'Wenn Sie einen Freigabelink öffnen',
        body: [
          'Dafür brauchen Sie kein Konto. Wer den Link verwaltet, sieht, wann er geöffnet oder über ihn heruntergeladen wurde, welches Dokument, die Art des Geräts und die Website, die hergeführt hat.',
          'Ihre Netzwerkadresse wird nicht gespeichert. Aus ihr entsteht ein Hash mit einem Geheimnis, das täglich wechselt, damit sich die Besucher eines Tages zählen lassen; an einem anderen Tag sind Sie jemand anderes. Fragt der Link nach Ihrer E-Mail-Adresse, so sehen sie die, die ihn verwalten.',
        ],
      },
      {
        title: 'Protokolle und Zählung',
        body: [
          'Das Protokoll des Servers enthält die Art jeder Anfrage, wie sie endete und wie lange sie dauerte: keine Netzwerkadressen, keine Namen von Dokumenten, keine Tokens. Es liegt in fünf Dateien zu 5 MB, deren älteste zuerst geht.',
          'Anmeldeversuche werden nach Konto und Netzwerkadresse gezählt, höchstens einen Tag lang, damit niemand endlos Passwörter raten kann.',
          'Der Server zählt Suchen und Uploads nach Tagen, ohne Bezug auf jemanden. Welche Arten von Seiten geöffnet werden, zählt er nur, wenn Sie es erlaubt haben.',
          'Haben Sie es erlaubt und nutzt der Betreiber diese Dienste, so erfährt PostHog dieselben Arten von Seiten, und Sentry erfährt von Fehlern, davon, wie schnell Seiten sind, und von einer Auswahl an Sitzungen, in denen Texte, Felder, Bilder und Dokumente verdeckt sind. Adressen erreichen sie ohne das, wonach gesucht wurde. Vorher wird nichts von ihnen geladen.',
        ],
      },
      {
        title: 'Wo es liegt und wer es bekommt',
        body: [
          'Auf dem Server des Betreibers: in seiner Datenbank und seinem Speicher für Inhalte, und in den Sicherungen, die er anlegt. Sie können bei einem Hosting-Anbieter stehen, den er gewählt hat.',
          'Mails gehen über den Mailserver des Betreibers. Die oben genannten Dienste erfahren, was dort steht, wenn Sie es erlaubt haben. Nichts wird verkauft, und nichts geht an Werbenetzwerke.',
          'Wird die Desktop-App nur auf diesem Computer genutzt, so bleibt alles auf diesem Computer.',
        ],
      },
      {
        title: 'Was wann geht',
        body: [
          [
            'Dokumente im Papierkorb: nach 30 Tagen, wenn der Betreiber nichts anderes festgelegt hat.',
            'Inhalte, auf die nichts mehr verweist: innerhalb von etwa zwei Stunden.',
            'Kopien auf Geräten, mit denen sich Dokumente ohne Netz lesen lassen: wenn Sie sich dort abmelden, wenn der Server gefragt wird und sie verweigert, und 30 Tage, nachdem sie zuletzt geöffnet wurden.',
            'Ihr Konto: sofort, wenn Sie es löschen, mit den Bibliotheken, die Ihnen gehören. Commits und Kommentare auf Regalen anderer bleiben dort ohne Ihr Konto; das Protokoll behält, dass das Konto gelöscht wurde.',
            'Sicherungen: wenn der Betreiber sie löscht.',
          ],
        ],
      },
      {
        title: 'Ihre Rechte',
        body: [
          'Sie dürfen den Betreiber fragen, was über Sie aufbewahrt wird, es berichtigen oder löschen lassen, es in maschinenlesbarer Form bekommen und seiner Nutzung widersprechen. Vieles davon braucht niemanden: Die Einstellungen ändern und löschen Ihr Konto, und eine Bibliothek lässt sich als einfache Dateien herunterladen. Sie dürfen sich bei einer Datenschutzbehörde beschweren.',
          `Fragen zum Datenschutz: ${contact.privacy}. Betreibt Ihre Organisation den Server, so fragen Sie zuerst dessen Administrator.`,
        ],
      },
    ],
  },
  security: {
    title: 'Sicherheit',
    lead: `Was ${name} tut, damit Dokumente bei denen bleiben, denen sie gehören, was es nicht tut, und wie Sie eine Lücke melden.`,
    sections: [
      {
        title: 'Anmelden',
        body: [
          [
            'Passwörter werden als Argon2id-Hashes aufbewahrt. Versuche sind nach Konto und Netzwerk begrenzt; ein Gerät, das Sie schon benutzt haben, zählt für sich, damit Fremde Sie nicht aussperren können.',
            'Ein zweiter Schritt mit Einmalcodes lässt sich in den Einstellungen einschalten.',
            'Die Anmeldung nutzt den Autorisierungscode-Ablauf mit PKCE. Codes gelten einmal und 60 Sekunden lang; der Zugang gilt 15 Minuten und wird mit einem Token erneuert, das bei jeder Nutzung wechselt. Kommt ein benutztes Token wieder, so endet die ganze Anmeldung.',
            'Browser halten Tokens in Cookies, die Skripte nicht lesen können. Die Desktop-App hält sie im Schlüsselbund des Systems, und ihre Seite sieht sie nie.',
          ],
        ],
      },
      {
        title: 'Dokumente',
        body: [
          [
            'Jeder Aufruf wird auf dem Server gegen Ihre Rolle auf dem Regal geprüft. Was Sie nicht sehen dürfen, sieht aus, als gäbe es das nicht.',
            'Jeder Inhalt hat einen SHA-256, der bei der Ankunft geprüft wird; jeder Commit heißt nach einem Hash dessen, was er sagt. Veränderte Inhalte fallen auf.',
            'Freigabelinks haben 256 zufällige Bits und können ein Passwort, ein Ende, eine Zahl von Aufrufen und eine Liste von Adressen haben. Versuche an Passwörtern sind begrenzt.',
            'Text wird Dokumenten getrennt von allem anderen mit Grenzen für Zeit und Speicher entnommen. Dokumente anderer werden so gezeigt, dass sie keine Skripte als Teil der Anwendung ausführen können.',
          ],
        ],
      },
      {
        title: 'Übertragung und Seiten',
        body: [
          'Server, die andere erreichen, sollen hinter HTTPS laufen. Die Seiten haben eine Inhaltsrichtlinie, die nichts ausführen lässt, was nicht zur Anwendung gehört, und ändernde Anfragen werden abgelehnt, wenn sie von einer anderen Website kommen.',
        ],
      },
      {
        title: 'Was es nicht tut',
        body: [
          'Dokumente sind nicht Ende-zu-Ende-verschlüsselt: Um in ihnen zu suchen, muss der Server sie lesen, und also kann es sein Betreiber. Die Verschlüsselung von Datenträgern und Sicherungen schaltet der Betreiber ein.',
        ],
      },
      {
        title: 'Eine Lücke melden',
        body: [
          `Schreiben Sie an ${contact.security}, was Sie gefunden haben und wie es sich zeigt. Lassen Sie die Daten anderer in Ruhe und geben Sie Zeit für eine Korrektur, bevor Sie etwas veröffentlichen. Meldungen werden beantwortet, und wer mag, wird in den Versionshinweisen genannt.`,
        ],
      },
    ],
  },
  refund: {
    title: 'Erstattungen',
    lead: `${name} nimmt keine Zahlungen an, also gibt es darin nichts zu erstatten.`,
    sections: [
      {
        title: 'Tarife kosten hier nichts',
        body: [
          'Tarife sagen, wie viel jemand auf einem Server aufbewahren darf. Der Betreiber vergibt sie; sie werden nicht in der Anwendung gekauft, und sie fragt nach keiner Karte und behält keine Zahlungsdaten.',
        ],
      },
      {
        title: 'Wenn Sie den Betreiber bezahlen',
        body: [
          'Ein Betreiber darf für den Betrieb eines Servers Geld verlangen, außerhalb dieser Anwendung. Dann gilt, was Sie mit ihm vereinbart haben, mit Ihrem gesetzlichen Widerrufsrecht, wo es eines gibt. Fragen Sie dort, woher die Rechnung kam.',
        ],
      },
    ],
  },
  cookie: {
    title: 'Cookies',
    lead: 'Alle Cookies hier sind die des Servers. Keines folgt Ihnen auf andere Websites, und keines dient der Werbung.',
    sections: [
      {
        title: 'Nötig zum Anmelden',
        body: [
          [
            'armarium_access: dass Sie angemeldet sind; 15 Minuten.',
            'armarium_refresh: erneuert es; 30 Tage, oder bis Sie sich abmelden.',
            'armarium_device: dass Sie sich auf diesem Gerät schon angemeldet haben, damit Versuche anderer Sie nicht aussperren; ein Jahr.',
            'armarium_social: nur während Sie sich über einen anderen Anbieter anmelden; 10 Minuten.',
          ],
        ],
      },
      {
        title: 'Nötig für das, worum Sie gebeten haben',
        body: [['armarium_desktop_site: dass dieses Telefon die Desktop-Ansicht wollte; ein Jahr.']],
      },
      {
        title: 'Nötig, um einen Freigabelink zu öffnen',
        body: [
          [
            'armarium_share_session_…: dass dieser Browser einen Link geöffnet und dessen Passwort oder Adresse nachgewiesen hat; 12 Stunden.',
            'armarium_share_code_…: solange ein Code per Mail unterwegs ist; 10 Minuten.',
          ],
        ],
      },
      {
        title: 'In diesem Browser aufbewahrt, nicht gesendet',
        body: [
          'Ihre Wahl zu Cookies, hell oder dunkel, die Sprache, die Bibliothek, in der Sie zuletzt waren, Hinweise, die Sie geschlossen haben, letzte Suchen, und Uploads und Kommentare, die nicht fertig sind. Solange Sie angemeldet sind, auch die Listen, die Sie zuletzt sahen, und diese Anwendung selbst, damit beide ohne Netz da sind. Auf Handys und wo die Anwendung installiert ist, auch Kopien der Dokumente, die Sie zuletzt geöffnet haben; die Einstellungen unter „Offline“ zeigen und leeren sie und schalten das aus oder ein. Sich abzumelden entfernt alles davon. Die Daten dieser Website im Browser zu löschen entfernt sie.',
        ],
      },
      {
        title: 'Nur, wenn Sie es erlauben',
        body: [
          'Die Zählung, welche Arten von Seiten geöffnet werden, und Meldungen von Fehlern: auf diesem Server und, wo der Betreiber sie nutzt, bei PostHog und Sentry, die eine Zufallszahl in diesem Browser aufbewahren. Sie werden einmal gefragt; „Cookie-Einstellungen“ am Fuß jeder Seite fragt erneut, und was Sie zuvor erlaubt hatten, hört sofort auf.',
        ],
      },
    ],
  },
  contact: {
    title: 'Kontakt',
    lead: 'An wen Sie schreiben, und womit.',
    sections: [
      {
        title: 'Ihr Konto, Ihre Dokumente, dieser Server',
        body: [
          'Fragen Sie die, die den Server betreiben: in einer Organisation deren Administrator, sonst wer Sie eingeladen hat. Niemand sonst kann in Ihr Konto sehen.',
        ],
      },
      {
        title: `Fragen zu ${name}`,
        body: [`Hilfe: ${contact.support}`, `Alles andere: ${contact.general}`],
      },
      {
        title: 'Sicherheit und Datenschutz',
        body: [`Sicherheitslücken: ${contact.security}`, `Datenschutz: ${contact.privacy}`],
      },
    ],
  },
  company: {
    title: `Wer ${name} macht`,
    lead: `${name} wird von den ${company} gemacht und heißt nach dem Schrank mit Regalen, in dem ein Kloster seine Bücher verwahrte.`,
    sections: [
      {
        title: 'Was wir wollen',
        body: [
          'Einen ruhigen Ort für Dokumente, an dem nichts verloren geht: Jede Version bleibt, jeder Text wird gefunden, und alles lässt sich jederzeit mitnehmen. Er läuft auf einem eigenen Computer, auf einem eigenen Server oder bei jemandem, dem Sie vertrauen.',
        ],
      },
      {
        title: 'Wie es entsteht',
        body: [
          'Öffentlich, als freie Software unter der Apache-Lizenz 2.0. Alle dürfen sie nutzen, lesen, ändern und weitergeben.',
          `Website: ${website}`,
          `Mail: ${contact.general}`,
        ],
      },
    ],
  },
  download: {
    title: 'Desktop-App',
    lead: 'Die Desktop-App durchsucht die Dateien auf Ihrem Computer zusammen mit Ihren Regalen, auch ohne Verbindung.',
    sections: [],
  },
  'open-source': {
    title: 'Open-Source-Hinweise',
    lead: `${name} ist freie Software unter der Apache-Lizenz 2.0. Es wird mit diesen Paketen ausgeliefert, jedes unter der Lizenz derer, die es gemacht haben.`,
    sections: [],
  },
};
