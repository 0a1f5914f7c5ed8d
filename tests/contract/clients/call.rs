use domains::apis::configuration::Configuration;
use domains::apis::domains_api::{check, check_names};
use domains::models::{CheckAnswerResultsInner, CheckNamesAnswerResultsInner, CheckNamesRequest};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut configuration = Configuration::new();
    configuration.base_path = std::env::args().nth(1).expect("the address of the service");
    let answer = check(&configuration, "mixed", None, None, None).await.expect("GET /check");
    for row in &answer.results {
        match row {
            CheckAnswerResultsInner::AvailableRow(row) => println!("{} {}", row.domain, row.available),
            CheckAnswerResultsInner::TakenRow(row) => println!("{} {}", row.domain, row.available),
            CheckAnswerResultsInner::ReservedRow(row) => println!("{} {}", row.domain, row.available),
            CheckAnswerResultsInner::UnknownRow(row) => {
                let error: &String = &row.error;
                println!("{} {}", row.domain, error)
            }
        }
    }
    let names = CheckNamesRequest::new(vec!["taken.com".into(), "no_name".into()]);
    let answer = check_names(&configuration, names, None).await.expect("POST /check");
    for row in &answer.results {
        match row {
            CheckNamesAnswerResultsInner::TakenInputRow(row) => println!("{} taken", row.input),
            CheckNamesAnswerResultsInner::RefusedInput(row) => println!("{} {}", row.input, row.message),
            _ => panic!("an unexpected row"),
        }
    }
}
