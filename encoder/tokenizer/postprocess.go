package tokenizer

import (
	"encoding/json"
	"fmt"
)

// loadFrame reads the "post_processor" block: the ids that go before and after
// the ids of one text.
func loadFrame(raw json.RawMessage) (prefix, suffix []int32, err error) {
	err = eachComponent("post_processor", "processors", raw, func(c component) error {
		before, after, err := loadProcessor(c)
		if err == nil && len(before)+len(after) > 0 && len(prefix)+len(suffix) > 0 {
			return fmt.Errorf("%s: more than one processor of the sequence adds tokens, which is not supported", c.role)
		}
		prefix, suffix = append(prefix, before...), append(suffix, after...)
		return err
	})
	return prefix, suffix, err
}

func loadProcessor(c component) (prefix, suffix []int32, err error) {
	switch c.Type {
	case "TemplateProcessing":
		return loadTemplate(c)
	case "BertProcessing", "RobertaProcessing":
		v, err := decode[struct {
			Sep namedID `json:"sep"`
			Cls namedID `json:"cls"`
		}](c)
		return []int32{v.Cls.id}, []int32{v.Sep.id}, err
	case "ByteLevel": // concerns offsets only
		return nil, nil, nil
	}
	return nil, nil, c.unknown("BertProcessing, ByteLevel, RobertaProcessing and TemplateProcessing")
}

// namedID is a token and its id: ["[SEP]", 102].
type namedID struct{ id int32 }

// UnmarshalJSON reads the pair.
func (n *namedID) UnmarshalJSON(raw []byte) error {
	var name string
	pair := []any{&name, &n.id}
	if err := json.Unmarshal(raw, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("%.60s must be a token and its id", raw)
	}
	return nil
}

// template is the block of TemplateProcessing as far as one text needs it.
type template struct {
	Single []struct {
		SpecialToken *struct{ ID string }
		Sequence     *struct{ ID string }
	} `json:"single"`
	SpecialTokens map[string]struct {
		IDs []int32 `json:"ids"`
	} `json:"special_tokens"`
}

func loadTemplate(c component) (prefix, suffix []int32, err error) {
	v, err := decode[template](c)
	if err != nil {
		return nil, nil, err
	}
	texts := 0
	for _, part := range v.Single {
		switch {
		case part.Sequence != nil && part.Sequence.ID == "A":
			texts++
		case part.SpecialToken != nil:
			tok, ok := v.SpecialTokens[part.SpecialToken.ID]
			if !ok {
				return nil, nil, fmt.Errorf("%s %s: special token %q has no ids", c.role, c.Type, part.SpecialToken.ID)
			}
			if texts == 0 {
				prefix = append(prefix, tok.IDs...)
			} else {
				suffix = append(suffix, tok.IDs...)
			}
		default:
			return nil, nil, fmt.Errorf("%s %s: a part of \"single\" is neither a special token nor sequence A", c.role, c.Type)
		}
	}
	if texts != 1 {
		return nil, nil, fmt.Errorf("%s %s: \"single\" must hold sequence A once, it holds it %d times", c.role, c.Type, texts)
	}
	return prefix, suffix, nil
}
