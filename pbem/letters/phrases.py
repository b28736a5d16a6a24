# ruff: noqa: RUF001  (the tables hold letters of many scripts on purpose)
"""What mail clients write into replies, language by language. Data only: to teach a language, add its words here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _listed(table: str) -> tuple[str, ...]:
    return tuple(entry.strip() for line in table.strip().splitlines() for entry in line.split("|"))


SEPARATORS: Final = frozenset(
    _listed(
        """
        original message|original|original email|original appointment|forwarded message|forwarded mail
        reply message
        begin forwarded message|begin forwarded mail|start of forwarded message|message from
        oorspronkelijk bericht|origineel bericht|oorspronkelijke bericht|doorgestuurd bericht
        begin doorgestuurd bericht
        ursprüngliche nachricht|originalnachricht|urspruengliche nachricht|original-nachricht
        weitergeleitete nachricht
        anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail
        message d'origine|message original|message initial|message transféré|début du message transféré
        début du message réexpédié|courriel original|e-mail d'origine|mail original|message transmis
        mensaje original|mensaje reenviado|inicio del mensaje reenviado|correo original
        mensagem original|mensagem encaminhada|início da mensagem reencaminhada|início da mensagem encaminhada
        messaggio originale|messaggio inoltrato|inizio messaggio inoltrato
        oprindelig meddelelse|videresendt meddelelse|original meddelelse|start på videresendt besked
        oprindelig besked
        opprinnelig melding|videresendt melding|original melding|originalmelding
        ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|vidarebefordrat brev
        alkuperäinen viesti|välitetty viesti|edelleenlähetetty viesti
        wiadomość oryginalna|oryginalna wiadomość|wiadomość przekazana|przekazana wiadomość
        původní zpráva|původní e-mail|přeposlaná zpráva|pôvodná správa|preposlaná správa
        исходное сообщение|оригинальное сообщение|пересылаемое сообщение|пересланное сообщение
        первоначальное сообщение
        оригінальне повідомлення|вихідне повідомлення
        özgün ileti|orijinal mesaj|orijinal ileti|iletilen mesaj|iletilmiş mesaj
        thư gốc|tin nhắn gốc|thư được chuyển tiếp|thư đã chuyển tiếp|tin nhắn được chuyển tiếp
        原始邮件|原始郵件|原邮件|原郵件|转发的邮件|轉寄的郵件|转发邮件信息|回复的原邮件|原始信息|原始訊息|轉寄郵件
        元のメッセージ|元のメール|転送されたメッセージ|転送メッセージ|original メッセージ|오리지널 메시지
        원본 메시지|원본 메일
        eredeti üzenet|mesajul original|mesaj original|αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية|izvorna poruka
        """
    )
)
"""Between dashes, or before a colon, above a quoted or forwarded mail; lower case."""

HEADER_LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "from": _listed(
        """
        from|von|van|de|da|fra|från|lähettäjä|od|от|от кого|kimden|gönderen|từ|người gửi|发件人|寄件者|寄件人
        发自|差出人|送信者
        送信元|보낸 사람|보낸사람|від|expéditeur|remitente|remetente|mittente|absender|afzender|feladó|de la
        από|מאת|من
        """
    ),
    "date": _listed(
        """
        sent|date|received|gesendet|datum|verzonden|ontvangen|envoyé|envoyé le|date d'envoi|enviado|enviado el
        enviada em|enviado em|fecha|data|inviato|sendt|dato|skickat|lähetetty|päivämäärä|päiväys|pvm|wysłano
        wysłane|odesláno|отправлено|дата|gönderildi|gönderilme tarihi|tarih|đã gửi|ngày|ngày gửi|发送时间
        发送日期|日期|時間
        时间|寄件日期|傳送時間|寄送時間|送信日時|日時|日付|送信日|날짜|보낸 날짜|надіслано|elküldve|dátum
        trimis|εστάλη|ημερομηνία|נשלח|تاريخ
        tidpunkt
        """
    ),
    "to": _listed(
        """
        to|an|aan|à|a|para|per|til|till|vastaanottaja|kenelle|do|komu|кому|kime|alıcı|đến|tới|người nhận|收件人|收件者
        宛先|送信先|받는 사람|받는사람|destinataire|destinatario|destinatário|empfänger|címzett|către|προς|אל|إلى
        """
    ),
    "cc": _listed(
        """
        cc|kopie|copie|copie à|copia|kopi|kopia|kopio|dw|do wiadomości|копия|bilgi|đồng gửi|抄送|副本|참조|cópia|bcc
        """
    ),
    "subject": _listed(
        """
        subject|betreff|betrifft|onderwerp|objet|sujet|asunto|assunto|oggetto|emne|ämne|aihe|temat|předmět|тема
        konu|chủ đề|tiêu đề|主题|主旨|主題|件名|제목|предмет|tárgy|subiect|θέμα|נושא|الموضوع
        """
    ),
    "other": _listed(
        """
        reply-to|reply to|antwort an|antwoord aan|répondre à|responder a|rispondi a|importance|priority
        wichtigkeit|priorität|urgentie|importanza|attachments|anlagen|bijlagen|pièces jointes|adjuntos|allegati
        附件|sensitivity|organization
        """
    ),
}
"""What clients call the headers of the mail they quote, by field; lower case."""

WROTE: Final = _listed(
    """
    wrote|writes|said|says
    schrieb|schreibt|geschrieben|schreef|schrijft|geschreven|het volgende
    écrit|escribió|escribio|escreveu|ha scritto|scrisse
    skrev|skriver|skreiv|skrifaði|kirjoitti
    napisał|napisała|napisał(a)|pisze|napsal|napsala|napsal(a)|napísal|napísala
    написал|написала|написал(а)|пишет|писал|пише|написав
    yazdı|yazmış|đã viết|viết|írta|a scris|έγραψε|napisao|pisao
    """
)
"""Words for writing that stand as words of their own; lower case."""

WROTE_ANYWHERE: Final = _listed(
    """
    写道|寫道|写到|寫到|写的|書きました|さんは|のメール|作成|작성|썼습니다|כתב|كتب
    """
)
"""The same in scripts that set no space between words."""

FOOTERS: Final = (
    # "Sent from my iPhone", "Sent with Proton Mail secure email.", "Get Outlook for iOS"
    r"sent (?:from|via|with|using|by) .{2,60}",
    r"get outlook for (?:ios|android|mac).*",
    r"(?:download|get) the (?:all.new )?\w+ (?:mail )?app.*",
    r"(?:yahoo|aol) mail: .*",
    # Dutch
    r"(?:verzonden|verstuurd|gestuurd) (?:vanaf|vanuit|via|met|door|vanop) .{2,60}",
    r"outlook voor (?:ios|android|mac) (?:downloaden|ophalen).*|(?:download|haal) outlook voor .*",
    # German
    r"(?:von|mit|aus) .{2,50} (?:gesendet|geschrieben|verschickt|versendet)",
    r"gesendet (?:von|mit|über|via|aus) .{2,60}",
    r"diese (?:nachricht|e-?mail) wurde (?:von|mit) .{2,80}",
    r"outlook für (?:ios|android|mac) (?:beziehen|herunterladen|abrufen).*",
    # French
    r"(?:envoyé|envoye|expédié|télécharg\w+) (?:de|depuis|avec|à partir de|par|via|d'|outlook pour)\W?.{1,60}",
    r"(?:obtenir|obtenez|télécharger) outlook pour .*",
    # Spanish, Portuguese, Italian
    r"(?:enviado|enviada) (?:desde|a partir d[eo]|por|con|com|do|de|através d[eo]|via) .{2,60}",
    r"(?:obtener|descargar|obter|baixar|transferir|obtenga) (?:o )?outlook (?:para|para o) .*",
    r"(?:inviato|inviata) (?:da|dal|dalla|con|tramite|utilizzando) ?.{1,60}",
    r"(?:scarica|ottieni) outlook per .*",
    # Danish, Norwegian, Swedish, Finnish
    r"(?:sendt|skickat|sent|skickades) (?:fra|med|från|via|av) .{2,60}",
    r"(?:hent|få|hämta|skaffa) outlook (?:til|for|för) .*",
    r"lähetetty .{2,60}|hanki outlook .*",
    # Polish, Czech, Slovak
    r"wysłane? (?:z|ze|przez|za pomocą) .{2,60}|pobierz (?:aplikację )?outlook .*",
    r"(?:odesláno|odoslané|odeslano) (?:z|ze|pomocí|prostřednictvím) .{2,60}|získejte outlook .*",
    # Russian, Ukrainian
    r"(?:отправлено|надіслано|послано) (?:с|из|з|через|при помощи|от) .{2,60}",
    # Turkish, Vietnamese
    r".{2,50}(?:'d[ae]n|den|dan|ile|tarafından|üzerinden)m? gönderildi|(?:ios|android) için outlook.*",
    r"(?:đã )?gửi (?:từ|bằng|qua) .{2,60}|tải outlook .*",
    # Chinese, Japanese, Korean
    r"(?:发自|發自|从我的|從我的|寄自|来自|來自|由我的) ?.{1,40}",
    r".{1,30}(?:から送信|より送信|から送信されました|で送信)",
    r".{1,30}에서 보냄",
    r"获取 ?outlook .*|取得 ?outlook .*",
    # Virus scanners
    r"(?:virus-?free|virenfrei|garanti sans virus|libre de virus|senza virus|virusvrij|privo di virus)\W*(?:www\..*)?",
    r".{0,60}\b(?:avast|avg|mcafee|norton|sophos)\b.{0,60}",
)
"""Expressions for lines that devices, services and virus scanners add; they match a whole line without case."""

PICTURES: Final = _listed(
    """
    image|picture|photo|afbeelding|foto|bild|photo|imagen|imagem|immagine|billede|bilde|kuva|obraz|obrázek|изображение
    resim|hình ảnh|图片|图像|圖片|画像|イメージ
    """
)
"""Words for a picture that stands no longer in its place."""

PRODUCTS: Final = (
    r"i(?:phone|pad|os)\b|android|outlook|proton ?mail|yahoo|gmx|web\.de|galaxy|samsung|huawei|xiaomi|redmi|oneplus",
    r"blackberry|thunderbird|k-9|bluemail|fastmail|tutanota|foxmail|mail\.ru|yandex|gmail|icloud|\bwindows\b|\bavast\b",
    r"スマートフォン|スマホ|携帯|ドコモ|手机|手機|邮箱|郵箱|信箱|网易|雅虎|奇摩|ヤフー|почт",
)
"""Expressions for devices, programs and services that add a line of their own."""

MINE: Final = (
    r"\b(?:my|mijn|meine[mr]?|mon|ma|mi|mio|mia|meu|minha|min|mitt|mojego|mojej|mého|mé)\b|laitteestani",
    r"\bмо(?:его|ей)\b|\bcủa tôi\b|我的|私の",
)
"""Expressions for what is mine: nobody but a device says that a mail was sent from his telephone."""

ADDED: Final = (
    # sent
    r"\bsen[dt]t?\b|ver(?:zonden|stuurd)|gesendet|geschickt|versendet|envoy[ée]|enviad[oa]|inviat[oa]|skicka[td]",
    r"skickades|lähetetty|wysłan[aeoy]|odesl[aá]n|odoslan|отправ",
    r"надісл|gönderil|\bgửi\b|[传傳发發寄]送",
    r"[发發寄来來]自|寄出|送信|전송|보냄",
    r"provenance|courrier pour|\bmail f(?:or|ür)\b|\bmail voor\b|posta per\b|correo para|e-mail para",
    # get
    r"\bget\b|download|verkrijg|\bhol(?:en)?\b|beziehen|herunterladen|ob(?:ten|tén)|télécharg",
    r"descarga|baixa|transfer|scarica|ottieni|\bhent\b|\bfå\b|hämta|skaf+[ae]?|hanki|\bhae\b|pobierz",
    r"uzyskaj|získ|stáhn|получ|скач|edin|indir|\btải\b",
    r"\blấy\b|[获獲]取|取得|入手|下[载載]",
)
"""Expressions for what such a line says of them, in any order of words: a mail was sent with it, or one may get it."""

AWAY_SUBJECTS: Final = (
    r"auto(?:matic|mated)?[ -]?(?:reply|response)|out of (?:the )?office",
    r"away from (?:the |my )?(?:office|mail)|vacation reply|on vacation",
    r"automatische (?:antwort|e-mail-antwort)|abwesenheits\w*|abwesend|automatisch antwoord|afwezig\w*",
    r"niet aanwezig|réponse automatique|absence du bureau|absent du bureau|message d'absence",
    r"respuesta automática|fuera de (?:la )?oficina|resposta automática|ausência temporária",
    r"fora do escritório|risposta automatica|fuori sede|fuori ufficio|autosvar|automatisk svar",
    r"automatiskt svar|ikke til stede|frånvaro\w*|fraværende|fravær|automaattinen vastaus|poissa\w*",
    r"autoodpowiedź|automatyczna odpowiedź|odpowiedź automatyczna|poza biurem|automatická odpověď",
    r"mimo kancelář|автоответ\w*|автоматический ответ|нет на месте|otomatik (?:yanıt|cevap)|ofis dışında",
    r"thư trả lời tự động|trả lời tự động|vắng mặt|自动回复|自動回覆|自动答复",
    r"外出|不在通知|自動応答|自動返信|부재중|자동 ?회신",
)
"""Expressions for how the subjects of absence notes begin."""
