// Prints the reference's ids: `reference.js tokenizer.json texts.jsonl` for the
// lines of a file, `reference.js components.json` for the table of components.
const fs = require('fs');
const { Tokenizer } = require('@anush008/tokenizers');

const read = (path) => fs.readFileSync(path, 'utf8');

async function encode(file, texts) {
  const tokenizer = Tokenizer.fromString(file);
  tokenizer.disablePadding();
  tokenizer.disableTruncation();
  const ids = [];
  for (const text of texts) ids.push((await tokenizer.encode(text)).getIds());
  return ids;
}

async function lines(path, textsPath) {
  const texts = read(textsPath).split('\n').filter(Boolean).map((line) => JSON.parse(line).text);
  const ids = await encode(read(path), texts);
  texts.forEach((text, i) => console.log(JSON.stringify({ text, ids: ids[i] })));
}

async function components(path) {
  const table = JSON.parse(read(path));
  const cases = [];
  for (const { normalizer, pre_tokenizer } of table.cases) {
    const model = { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: table.vocab };
    const file = { version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer, pre_tokenizer, post_processor: null, decoder: null, model };
    cases.push(JSON.stringify({ normalizer, pre_tokenizer, ids: await encode(JSON.stringify(file), table.texts) }));
  }
  console.log(`{"texts":${JSON.stringify(table.texts)},\n"vocab":${JSON.stringify(table.vocab)},\n"cases":[\n${cases.join(',\n')}\n]}`);
}

const [path, textsPath] = process.argv.slice(2);
(textsPath ? lines(path, textsPath) : components(path)).catch((err) => {
  console.error(err);
  process.exit(1);
});
