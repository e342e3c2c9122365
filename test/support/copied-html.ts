/**
 * HTML as programs put it into the clipboard, with the plain text beside it, and the message that pasting it makes.
 */

interface Copied {
  html: string;
  plain: string;
  pasted: string;
}

export const copied = {
  'a web page': {
    html: `<meta charset='utf-8'><h2 style="color: rgb(31, 35, 40); font-weight: 600;">What to bring</h2><p style="font-size: 14px; background-image: url(https://elsewhere.example/a.png);">A <strong>warm</strong> coat &amp; <em>not <s>two</s></em>, and the <code>key</code>.<br>See you at the <a href="https://harbor.example/map?a=1&amp;b=2" onclick="go()">harbor</a>.</p><ul><li>bread</li><li>water<ol start="3"><li>still</li><li>sparkling</li></ol></li></ul><blockquote><p>No hurry.</p><p>Really.</p></blockquote><pre><code class="language-js">let a = 1;\n  a += 1 &lt; 2;</code></pre><img src="https://elsewhere.example/x.png" onerror="alert(1)"><script>alert(1)</script>`,
    plain: 'What to bring …',
    pasted:
      '**What to bring**\n\nA **warm** coat & _not ~~two~~_, and the `key`.\nSee you at the harbor (https://harbor.example/map?a=1&b=2).\n\n- bread\n- water\n  3. still\n  4. sparkling\n\n> No hurry.\n>\n> Really.\n\n```js\nlet a = 1;\n  a += 1 < 2;\n```',
  },
  Word: {
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--><style><!--
 p.MsoNormal, li.MsoNormal {margin:0cm; font-size:12.0pt;}
 span.MsoIntenseEmphasis {color:#0F4761; font-style:italic;}
--></style></head><body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment--><p class=MsoNormal>The <b>heron</b> is <i style='mso-bidi-font-style:normal'>back</i>, <s>not</s> really.<o:p></o:p></p><p class=MsoNormal><span class=MsoIntenseEmphasis>Bring</span> &#8211; see <a href="https://harbor.example/map">the harbor</a>:<o:p></o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>bread<o:p></o:p></p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><![endif]>rye<o:p></o:p></p><p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span><![endif]><b>water</b><o:p></o:p></p><!--EndFragment--></body></html>`,
    plain: 'The heron is back …',
    pasted:
      'The **heron** is _back_, ~~not~~ really.\n\n_Bring_ – see the harbor (https://harbor.example/map):\n\n- bread\n  - rye\n2. **water**',
  },
  'LibreOffice Writer': {
    html: `<!DOCTYPE html>\n<html>\n<head>\n<meta http-equiv="content-type" content="text/html; charset=utf-8"/>\n<title></title>\n<style type="text/css">\n@page { size: 21cm 29.7cm; margin: 2cm }\np { line-height: 115%; background: transparent }\n</style>\n</head>\n<body lang="en-US" dir="ltr"><p style="line-height: 100%"><b>V&ouml;gel</b> <span style="font-style: italic">im</span>\n<i>Hafen</i></p>\n<ol>\n\t<li><p style="line-height: 100%">bread</p></li>\n\t<li><p style="line-height: 100%">water</p></li>\n</ol>\n</body>\n</html>`,
    plain: 'Vögel im Hafen …',
    pasted: '**Vögel** _im Hafen_\n\n1. bread\n2. water',
  },
  'Google Docs': {
    html: `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:700;white-space:pre;white-space:pre-wrap;">Bold</span><span style="font-weight:400;"> and </span><span style="font-weight:400;font-style:italic;">italic</span><span> and </span><span style="text-decoration:line-through;">gone</span></p><ul style="margin-top:0;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>bread</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr"><span>rye</span></p></li></ul></ul></b>`,
    plain: 'Bold and italic and gone …',
    pasted: '**Bold** and _italic_ and ~~gone~~\n\n- bread\n  - rye',
  },
  Excel: {
    html: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>\n<!--table\n\t{mso-displayed-decimal-separator:"\\.";}\n.xl65\n\t{font-weight:700;}\n--></style></head><body link=blue><table border=0 cellpadding=0 width=128><!--StartFragment--><col width=64 span=2><tr height=20><td class=xl65 width=64>Item</td><td class=xl65>Price</td></tr><tr height=20><td height=20>bread</td><td align=right>3.20</td></tr><!--EndFragment--></table></body></html>`,
    plain: 'Item\tPrice\nbread\t3.20\n',
    pasted: '**Item**\t**Price**\nbread\t3.20',
  },
  'LibreOffice Calc': {
    html: `<html><head><style type="text/css">\nbody,div,table,thead,tbody,tfoot,tr,th,td,p { font-family:"Liberation Sans"; font-size:x-small }\n</style></head><body><table cellspacing="0" border="0"><colgroup width="85" span="2"></colgroup><tr><td height="17" align="left"><b>Item</b></td><td align="left"><i>Price</i></td></tr><tr><td height="17" align="left"><br></td><td align="right" sdval="3.2" sdnum="1033;">3.2</td></tr></table></body></html>`,
    plain: 'Item\tPrice\n\t3.2\n',
    pasted: '**Item**\t_Price_\n\t3.2',
  },
  'VS Code': {
    html: `<meta charset='utf-8'><div style="color: #cccccc;background-color: #1f1f1f;font-family: Consolas, 'Courier New', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #569cd6;">def</span><span style="color: #cccccc;"> </span><span style="color: #dcdcaa;">__init__</span><span>(*args):</span></div><br><div><span>    pass</span></div></div>`,
    plain: 'def __init__(*args):\n\n    pass',
    pasted: '```\ndef __init__(*args):\n\n    pass\n```',
  },
} satisfies Record<string, Copied>;
