
import memmatch
from conftest import ROOT, TINY, kind_of


def test_facts_are_added_edited_and_deleted(store):
    with memmatch.Datastore(store, "write") as facts:
        added = facts.add("Ada Lovelace", "She liked gambling.")
        assert not added.imported and facts.sentences("Ada Lovelace")[-1].text == added.text
        edited = facts.edit("Ada Lovelace", 1, "She was born in Paris.")
        assert edited.edited and edited.revision == 2
        assert facts.sentence("Ada Lovelace", 1).text == "She was born in Paris."
        assert [one.text for one in facts.delete("Ada Lovelace", 1)] == ["She was born in Paris."]
        assert kind_of(facts.sentence, "Ada Lovelace", 1)[0] == "not_found"
        gone = facts.delete("Ada Lovelace")
        assert added.id in [one.id for one in gone]
        assert kind_of(facts.document, "Ada Lovelace")[0] == "not_found"
        assert facts.check() == []


def test_documents_are_imported_all_or_none(tmp_path):
    with memmatch.Datastore(tmp_path / "new.db", "create") as facts:
        report = facts.import_documents([
            ("Ada Lovelace", ["She was born in 1815.", "She was a writer."]),
            ("Pool", "The pool is closed on Mondays. It opens at nine.")])
        assert report["new_documents"] == 2 and report["new_sentences"] == 4
        assert [one.title for one in facts.documents()] == ["Ada Lovelace", "Pool"]
        assert kind_of(facts.import_documents, [("New", ["x"]), ("", ["y"])])[0] == (
            "invalid_argument")
        assert facts.stats()["documents"] == 2
        facts.edit("Pool", 1, "It opens at ten.")
        news = [("Pool", ["The pool is closed on Mondays.", "It opens at eight."])]
        assert facts.import_documents(news)["kept_edits"] == 1
        facts.import_documents(news, overwrite_edits=True)
        assert facts.sentence("Pool", 1).text == "It opens at eight."


def test_files_are_imported_as_by_the_program(tmp_path):
    with memmatch.Datastore(tmp_path / "new.db", "create") as facts:
        report = facts.import_files(ROOT / "examples" / "demo" / "corpus.jsonl")
        assert report["documents"] == 74 and report["sentences"] == 674
        assert kind_of(facts.import_files, tmp_path / "none.jsonl")[0] == "not_found"
        assert kind_of(facts.import_files, tmp_path, "docx")[0] == "invalid_argument"


def test_what_is_not_there_or_no_datastore_is_said(tmp_path):
    kind, message = kind_of(memmatch.Datastore, tmp_path / "none.db")
    assert kind == "not_found" and "none.db" in message
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"nothing of a database" * 100)
    assert kind_of(memmatch.Datastore, damaged)[0] == "corrupt"
    assert kind_of(memmatch.Datastore, tmp_path / "new.db", "append")[0] == "invalid_argument"


def test_a_store_that_is_only_read_cannot_be_written_to(store):
    with memmatch.Datastore(store) as facts:
        assert kind_of(facts.add, "Ada Lovelace", "x")[0] in ("io", "invalid_argument", "conflict")


def test_index_makes_vectors_for_a_search_of_the_whole_store(store):
    with memmatch.Verifier(store, model=TINY) as verifier:
        assert verifier.index() == 674
        assert verifier.index() == 0
        assert verifier.verify("Bees make honey.", candidates="all").origin == "all"
    with memmatch.Datastore(store) as facts:
        assert facts.stats()["vectors"] == 674
