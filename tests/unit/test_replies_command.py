from rag_variants.cli import main
from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.llm.completion import Completion
from rag_variants.settings import Settings


def test_kept_replies_are_counted_and_emptied(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    kept = open_cached_replies(Settings())
    for number in (1, 2):
        kept.write(bytes([number] * 32), Completion("reply", 1, 1, None))
    shown = []
    for options in ([], ["--empty"], []):
        assert main(["replies", *options]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0].startswith("2 replies in 0.")
    assert shown[1:] == ["2 replies removed\n", "0 replies in 0.0 MB\n"]
